import { isObject, listAt, objectAt, type JsonObject } from '../merge/json.js';
import type { Kind } from '../schema/kinds.js';
import { isDeleted, keyOf, type Controller, type Key, type Reach } from './controller.js';

const AGAIN_MS = 60;

/**
 * Deletes what only deleted objects own, and lets go of owners that wait for their dependents or are to be orphaned.
 * A key's name here is a uid: garbage is about identity, not about names.
 */
export function garbageController(): Controller {
  return {
    name: 'garbage-collector',
    concerns: (event) => {
      const uid = String(objectAt(event.object, 'metadata')['uid']);
      if (event.type === 'DELETED' || waitsForDependents(event.object) !== undefined)
        return [{ namespace: undefined, name: uid }];
      return event.type === 'ADDED'
        ? owners(event.object).map((owner) => ({
            namespace: undefined,
            name: String(owner['uid']),
          }))
        : [];
    },
    reconcile: collect,
  };
}

function collect(key: Key, reach: Reach): number | undefined {
  const dependents = dependentsOf(key.name, reach);
  const owner = ownerOf(key.name, reach);
  if (owner === undefined) {
    for (const [kind, object] of dependents) collectOne(kind, object, reach);
    return undefined;
  }
  const [kind, object] = owner;
  const finalizer = waitsForDependents(object);
  if (finalizer === undefined) return undefined;
  if (finalizer === 'orphan') {
    for (const [each, dependent] of dependents)
      reach.update(each, dependent, withoutOwner(dependent, key.name));
  } else {
    for (const [each, dependent] of dependents)
      if (!isDeleted(dependent)) reach.delete(each, dependent);
    if (dependentsOf(key.name, reach).some(([, dependent]) => blocks(dependent, key.name)))
      return AGAIN_MS;
  }
  const live = reach.get(kind, keyOf(object));
  if (live === undefined) return undefined;
  const metadata = objectAt(live, 'metadata');
  const finalizers = listAt(metadata, 'finalizers').filter((each) => each !== finalizer);
  const { finalizers: _, ...rest } = metadata;
  reach.update(kind, live, {
    ...live,
    metadata: finalizers.length > 0 ? { ...rest, finalizers } : rest,
  });
  return undefined;
}

/** An object goes with its last owner; one with other owners only loses the reference. */
function collectOne(kind: Kind, object: JsonObject, reach: Reach): void {
  if (isDeleted(object)) return;
  const live = owners(object).filter((owner) => isThere(owner, object, reach));
  if (live.length === 0) reach.delete(kind, object);
}

function isThere(owner: JsonObject, object: JsonObject, reach: Reach): boolean {
  const kind = reach.world.kinds.byKind(String(owner['apiVersion']), String(owner['kind']));
  if (kind === undefined) return true;
  const found = reach.get(kind, {
    namespace: kind.namespaced ? keyOf(object).namespace : undefined,
    name: String(owner['name']),
  });
  return objectAt(found, 'metadata')['uid'] === owner['uid'];
}

function ownerOf(uid: string, reach: Reach): readonly [Kind, JsonObject] | undefined {
  const object = reach.world.store.byUid(uid);
  const kind = object === undefined ? undefined : kindOf(object, reach);
  return object === undefined || kind === undefined ? undefined : [kind, object];
}

function dependentsOf(uid: string, reach: Reach): (readonly [Kind, JsonObject])[] {
  return reach.world.store.dependents(uid).flatMap((object) => {
    const kind = kindOf(object, reach);
    return kind === undefined ? [] : [[kind, object] as const];
  });
}

function kindOf(object: JsonObject, reach: Reach): Kind | undefined {
  return reach.world.kinds.byKind(String(object['apiVersion']), String(object['kind']));
}

function waitsForDependents(object: JsonObject): string | undefined {
  if (!isDeleted(object)) return undefined;
  const finalizers = listAt(object, 'metadata', 'finalizers');
  return ['foregroundDeletion', 'orphan'].find((each) => finalizers.includes(each));
}

function blocks(dependent: JsonObject, uid: string): boolean {
  return owners(dependent).some(
    (owner) => owner['uid'] === uid && owner['blockOwnerDeletion'] === true,
  );
}

function withoutOwner(object: JsonObject, uid: string): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const { ownerReferences: _, ...rest } = metadata;
  const left = owners(object).filter((owner) => owner['uid'] !== uid);
  return { ...object, metadata: left.length > 0 ? { ...rest, ownerReferences: left } : rest };
}

function owners(object: JsonObject): JsonObject[] {
  return listAt(object, 'metadata', 'ownerReferences').filter(isObject);
}
