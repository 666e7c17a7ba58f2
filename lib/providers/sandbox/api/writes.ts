import {
  applyTo,
  BUT_SPEC,
  BUT_STATUS,
  ONLY_STATUS,
  recordUpdate,
  WHOLE,
  type Scope,
} from '../merge/apply.js';
import { objectAt, type JsonObject } from '../merge/json.js';
import { equalButTimes } from '../merge/managed-fields.js';
import { withDefaults } from '../schema/defaults.js';
import type { Kind } from '../schema/kinds.js';
import { preparedForCreate, preparedForStatus, preparedForUpdate } from '../schema/strategy.js';
import { pruned, typeFaults } from '../schema/validate-types.js';
import { immutableCauses } from '../schema/immutable.js';
import { causesOf } from '../schema/validate.js';
import { timestamp } from '../time.js';
import type { World } from '../world.js';
import { conflictsFailure } from './apply-conflicts.js';
import { identityOf } from './identity.js';
import { checkApplyPreconditions, checkPreconditions, requireNamespace } from './preconditions.js';
import { alreadyExists, ApiFailure, badRequest, conflict, invalid, notFound } from './status.js';

export interface WriteOptions {
  readonly manager: string;
  readonly dryRun?: boolean;
  readonly subresource?: 'status' | 'scale' | undefined;
}

export interface ApplyWriteOptions extends WriteOptions {
  readonly force: boolean;
}

/** POST: store a new object. Names the server is asked to make up end in five letters and digits. */
export function createObject(
  world: World,
  kind: Kind,
  body: JsonObject,
  options: WriteOptions,
): JsonObject {
  const named = withName(body);
  const { name, namespace } = identityOf(named);
  requireNamespace(world, kind, namespace, name);
  if (world.store.get(kind, namespace, name) !== undefined) throw alreadyExists(kind, name);
  const complete = withDefaults(kind, pruned(named, kind.schema) as JsonObject);
  const recorded = recordUpdate(
    undefined,
    complete,
    kind.schema,
    idOf(kind, 'Update', options),
    timestamp(world.time),
    scopeOf(kind, options),
  );
  return insert(world, kind, recorded, options);
}

/** PUT and every patch but apply: replace the live object by `body`. */
export function replaceObject(
  world: World,
  kind: Kind,
  live: JsonObject,
  body: JsonObject,
  options: WriteOptions,
): JsonObject {
  const { name } = identityOf(live);
  checkPreconditions(kind, live, body);
  const complete = withDefaults(kind, pruned(body, kind.schema) as JsonObject);
  const recorded = recordUpdate(
    live,
    complete,
    kind.schema,
    idOf(kind, 'Update', options),
    timestamp(world.time),
    scopeOf(kind, options),
  );
  return update(world, kind, name, live, recorded, options);
}

/** PATCH with server-side apply: creates when absent. */
export function applyObject(
  world: World,
  kind: Kind,
  body: JsonObject,
  options: ApplyWriteOptions,
): { readonly object: JsonObject; readonly created: boolean } {
  const { name, namespace } = identityOf(body);
  if (listed(objectAt(body, 'metadata')['managedFields']))
    throw badRequest('metadata.managedFields must be nil');
  const faults = typeFaults(body, kind.schema);
  if (faults.length > 0) {
    const [first] = faults;
    const gvk = `${kind.group}/${kind.version}, Kind=${kind.kind}`;
    throw new ApiFailure(
      500,
      '',
      `failed to create typed patch object (${namespace ?? ''}/${name}; ${gvk}): ${first?.path}: ${first?.message}`,
    );
  }
  const live = world.store.get(kind, namespace, name);
  if (live === undefined) requireNamespace(world, kind, namespace, name);
  if (live === undefined && options.subresource !== undefined) throw notFound(kind, name);
  if (live === undefined && objectAt(body, 'metadata')['uid'] !== undefined) {
    throw conflict(
      kind,
      name,
      `uid mismatch: the provided object specified uid ${String(objectAt(body, 'metadata')['uid'])}, and no existing object was found`,
    );
  }
  if (live !== undefined) checkApplyPreconditions(kind, live, body);
  const outcome = applyTo({
    live,
    applied: body,
    schema: kind.schema,
    manager: idOf(kind, 'Apply', options),
    force: options.force,
    now: timestamp(world.time),
    scope: scopeOf(kind, options),
  });
  if (!outcome.ok) throw conflictsFailure(outcome.conflicts);
  const complete = withDefaults(kind, outcome.object);
  if (live === undefined) return { object: insert(world, kind, complete, options), created: true };
  return { object: update(world, kind, name, live, complete, options), created: false };
}

function insert(world: World, kind: Kind, object: JsonObject, options: WriteOptions): JsonObject {
  const { name } = identityOf(object);
  const created = preparedForCreate(world, kind, object);
  const causes = causesOf(kind, created);
  if (causes.length > 0) throw invalid(kind, name, causes);
  return options.dryRun === true ? created : world.store.put(kind, created);
}

function update(
  world: World,
  kind: Kind,
  name: string,
  live: JsonObject,
  next: JsonObject,
  options: WriteOptions,
): JsonObject {
  const prepared =
    options.subresource === 'status'
      ? preparedForStatus(kind, live, next)
      : preparedForUpdate(world, kind, live, next);
  const causes = [...causesOf(kind, prepared), ...immutableCauses(kind, live, prepared)];
  if (causes.length > 0) throw invalid(kind, name, causes);
  if (equalButTimes(live, prepared)) return live;
  if (options.dryRun === true) return prepared;
  return isReleased(prepared)
    ? world.store.remove(kind, prepared)
    : world.store.put(kind, prepared);
}

/** Marked for deletion, and the last finalizer went: it is gone with this write. */
export function isReleased(object: JsonObject): boolean {
  const { deletionTimestamp, finalizers } = objectAt(object, 'metadata');
  if (deletionTimestamp === undefined || listed(finalizers)) return false;
  return object['kind'] !== 'Namespace' || !listed(objectAt(object, 'spec')['finalizers']);
}

function scopeOf(kind: Kind, options: WriteOptions): Scope {
  if (options.subresource === 'status') return kind.custom === undefined ? BUT_SPEC : ONLY_STATUS;
  return kind.subresources.has('status') ? BUT_STATUS : WHOLE;
}

function idOf(
  kind: Kind,
  operation: 'Apply' | 'Update',
  options: WriteOptions,
): Parameters<typeof recordUpdate>[3] {
  return {
    manager: options.manager,
    operation,
    apiVersion: kind.apiVersion,
    subresource: options.subresource ?? '',
  };
}

function withName(body: JsonObject): JsonObject {
  const metadata = objectAt(body, 'metadata');
  if (typeof metadata['name'] === 'string' || typeof metadata['generateName'] !== 'string')
    return body;
  const suffix = Math.random().toString(36).slice(2, 7).padEnd(5, 'x');
  return { ...body, metadata: { ...metadata, name: metadata['generateName'] + suffix } };
}

function listed(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
