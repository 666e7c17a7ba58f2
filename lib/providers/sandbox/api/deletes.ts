import { listAt, objectAt, type JsonObject } from '../merge/json.js';
import type { Kind } from '../schema/kinds.js';
import { timestamp } from '../time.js';
import type { World } from '../world.js';
import { preconditionFailed } from './status.js';
import { identityOf } from './identity.js';
import { isReleased } from './writes.js';

export interface DeleteOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly dryRun?: boolean;
}

const FINALIZER = { Foreground: 'foregroundDeletion', Orphan: 'orphan' } as const;

/**
 * DELETE: mark an object with finalizers as deleted, remove one without. Dependents are the garbage collector's work.
 *
 * @returns the object as it is now, and whether it is gone.
 */
export function deleteObject(
  world: World,
  kind: Kind,
  live: JsonObject,
  options: DeleteOptions,
): { object: JsonObject; gone: boolean } {
  const { name } = identityOf(live);
  const metadata = objectAt(live, 'metadata');
  for (const [what, wanted, have] of [
    ['UID', options.uid, metadata['uid']],
    ['ResourceVersion', options.resourceVersion, metadata['resourceVersion']],
  ] as const) {
    if (wanted !== undefined && wanted !== have)
      throw preconditionFailed(kind, name, what, wanted, String(have));
  }
  const marked = markedForDeletion(world, kind, live, options);
  const gone = isReleased(marked);
  if (options.dryRun === true) return { object: marked, gone };
  if (gone) return { object: world.store.remove(kind, live), gone };
  const isMarked = metadata['deletionTimestamp'] !== undefined;
  const same =
    isMarked &&
    listAt(marked, 'metadata', 'finalizers').length ===
      listAt(live, 'metadata', 'finalizers').length;
  return { object: same ? live : world.store.put(kind, marked), gone };
}

function markedForDeletion(
  world: World,
  kind: Kind,
  live: JsonObject,
  options: DeleteOptions,
): JsonObject {
  const metadata = objectAt(live, 'metadata');
  const policy = options.propagationPolicy ?? 'Background';
  const others = listAt(metadata, 'finalizers').filter(
    (each) => each !== FINALIZER.Foreground && each !== FINALIZER.Orphan,
  );
  const finalizers = policy === 'Background' ? others : [...others, FINALIZER[policy]];
  const { finalizers: _, ...rest } = metadata;
  const generation = metadata['generation'];
  return {
    ...live,
    ...(kind.kind === 'Namespace' && {
      status: { ...objectAt(live, 'status'), phase: 'Terminating' },
    }),
    metadata: {
      ...rest,
      deletionTimestamp: metadata['deletionTimestamp'] ?? timestamp(world.time),
      ...(kind.kind !== 'Namespace' && { deletionGracePeriodSeconds: 0 }),
      ...(typeof generation === 'number' &&
        metadata['deletionTimestamp'] === undefined && { generation: generation + 1 }),
      ...(finalizers.length > 0 && { finalizers }),
    },
  };
}
