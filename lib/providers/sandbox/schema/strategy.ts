import { createHash, randomUUID } from 'node:crypto';
import { equalJson, isObject, listAt, objectAt, type JsonObject } from '../merge/json.js';
import { timestamp } from '../time.js';
import type { World } from '../world.js';
import { ensure, TEMPLATE_GENERATION } from './defaults.js';
import type { Kind } from './kinds.js';
import { itemsOf } from './pod-defaults.js';
import { dropTypeFields, setAddresses } from './service-addresses.js';

/** What the server decides when an object is created: identity, generation, addresses, an empty status. */
export function preparedForCreate(world: World, kind: Kind, object: JsonObject): JsonObject {
  const {
    resourceVersion: _,
    selfLink: __,
    deletionTimestamp: ___,
    ...metadata
  } = objectAt(object, 'metadata');
  const created: JsonObject = {
    ...object,
    metadata: {
      ...metadata,
      uid: randomUUID(),
      creationTimestamp: timestamp(world.time),
      ...(kind.counted && { generation: 1 }),
    },
  };
  if (!kind.counted) delete objectAt(created, 'metadata')['generation'];
  if (kind.subresources.has('status')) delete created['status'];
  return withServerFields(world, kind, created);
}

/** What the server keeps and counts when an object is replaced. `live` is what is stored now. */
export function preparedForUpdate(
  world: World,
  kind: Kind,
  live: JsonObject,
  next: JsonObject,
): JsonObject {
  const before = objectAt(live, 'metadata');
  const metadata: JsonObject = { ...objectAt(next, 'metadata') };
  for (const key of [
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'generation',
    'resourceVersion',
  ]) {
    if (before[key] === undefined) delete metadata[key];
    else metadata[key] = before[key];
  }
  const updated: JsonObject = { ...next, metadata };
  if (kind.subresources.has('status')) {
    if (live['status'] === undefined) delete updated['status'];
    else updated['status'] = live['status'];
  }
  const complete = withServerFields(world, kind, updated, live);
  if (kind.counted && isCounted(kind, live, complete)) {
    objectAt(complete, 'metadata')['generation'] = Number(before['generation'] ?? 0) + 1;
  }
  return complete;
}

/** What a write to the status subresource changes: the status and, of built-in kinds, annotations. */
export function preparedForStatus(kind: Kind, live: JsonObject, next: JsonObject): JsonObject {
  const metadata = { ...objectAt(live, 'metadata') };
  const { managedFields, annotations } = objectAt(next, 'metadata');
  if (managedFields !== undefined) metadata['managedFields'] = managedFields;
  if (kind.custom === undefined && annotations !== undefined) metadata['annotations'] = annotations;
  const { status: _, ...rest } = live;
  return { ...rest, metadata, ...(next['status'] !== undefined && { status: next['status'] }) };
}

/** A change of the spec counts; of a Deployment also a change of its annotations, which go to its ReplicaSets. */
function isCounted(kind: Kind, live: JsonObject, next: JsonObject): boolean {
  const content = (object: JsonObject): unknown => ({
    ...object,
    metadata: kind.kind === 'Deployment' ? objectAt(object, 'metadata', 'annotations') : undefined,
    status: undefined,
  });
  return !equalJson(content(live), content(next));
}

function withServerFields(
  world: World,
  kind: Kind,
  object: JsonObject,
  live?: JsonObject,
): JsonObject {
  if (kind.custom !== undefined) return object;
  const draft: JsonObject = { ...object };
  if (isObject(draft['spec'])) draft['spec'] = { ...draft['spec'] };
  SERVER_FIELDS[kind.kind]?.(world, draft, live);
  return draft;
}

/** Keeps a claim that pods use. */
export const PROTECTION = 'kubernetes.io/pvc-protection';

const SERVER_FIELDS: Readonly<
  Record<string, (world: World, draft: JsonObject, live?: JsonObject) => void>
> = {
  Namespace: (_, draft, live) => {
    ensure(draft, 'spec')['finalizers'] ??= ['kubernetes'];
    if (live === undefined) draft['status'] = { phase: 'Active' };
  },
  Service: (world, draft, live) => {
    const spec = ensure(draft, 'spec');
    if (live !== undefined) dropTypeFields(spec, objectAt(live, 'spec'));
    setAddresses(world, spec, live);
  },
  Pod: (_, draft, live) => {
    if (live === undefined)
      draft['status'] = { phase: 'Pending', qosClass: qosClass(ensure(draft, 'spec')) };
  },
  Job: (_, draft, live) => {
    const spec = ensure(draft, 'spec');
    if (live !== undefined) {
      spec['selector'] ??= objectAt(live, 'spec', 'selector');
      return;
    }
    if (spec['manualSelector'] === true) return;
    const metadata = objectAt(draft, 'metadata');
    const uid = metadata['uid'];
    const template = objectAt(spec, 'template');
    const labels = {
      ...objectAt(template, 'metadata', 'labels'),
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': metadata['name'],
      'controller-uid': uid,
      'job-name': metadata['name'],
    };
    spec['template'] = { ...template, metadata: { ...objectAt(template, 'metadata'), labels } };
    spec['selector'] = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
    if (metadata['labels'] === undefined) draft['metadata'] = { ...metadata, labels };
  },
  DaemonSet: (_, draft, live) => {
    if (live === undefined) return;
    const before = Number(objectAt(live, 'metadata', 'annotations')[TEMPLATE_GENERATION] ?? 1);
    const template = (object: JsonObject): unknown => objectAt(object, 'spec')['template'];
    const metadata = objectAt(draft, 'metadata');
    const next = String(equalJson(template(live), template(draft)) ? before : before + 1);
    const annotations = { ...objectAt(metadata, 'annotations'), [TEMPLATE_GENERATION]: next };
    draft['metadata'] = { ...metadata, annotations };
  },
  PersistentVolumeClaim: (_, draft, live) => {
    const metadata = objectAt(draft, 'metadata');
    if (live === undefined) {
      draft['metadata'] = {
        ...metadata,
        finalizers: [...listAt(metadata, 'finalizers'), PROTECTION],
      };
      draft['status'] = { phase: 'Pending' };
    } else
      draft['spec'] = {
        // What was bound stays where nobody names it.
        ...keep(live, ['volumeName', 'storageClassName']),
        ...ensure(draft, 'spec'),
      };
  },
};

function keep(live: JsonObject, keys: readonly string[]): JsonObject {
  const spec = objectAt(live, 'spec');
  return Object.fromEntries(
    keys.filter((key) => spec[key] !== undefined).map((key) => [key, spec[key]]),
  );
}

function qosClass(spec: JsonObject): string {
  const resources = itemsOf(spec, 'containers').map((container) =>
    objectAt(container, 'resources'),
  );
  const some = resources.some(
    (each) =>
      Object.keys(objectAt(each, 'requests')).length +
        Object.keys(objectAt(each, 'limits')).length >
      0,
  );
  if (!some) return 'BestEffort';
  const all = resources.every((each) =>
    ['cpu', 'memory'].every((name) => {
      const limit = objectAt(each, 'limits')[name];
      return limit !== undefined && objectAt(each, 'requests')[name] === limit;
    }),
  );
  return all ? 'Guaranteed' : 'Burstable';
}

/** Ten characters that identify a pod template, as in names of ReplicaSets. */
export function templateHash(template: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortedKeys(template)))
    .digest('hex')
    .slice(0, 10);
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortedKeys(value[key])]),
  );
}
