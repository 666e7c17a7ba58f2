import type { KubeObject } from '../../api/object.js';
import { compareBy, sorted } from '../../engine/compare.js';
import { refKey, refOf } from '../../engine/object.js';
import { MARKS } from '../../engine/plan.js';
import { groupKindOf } from '../../engine/rollout/index.js';
import type { ClusterClient, KindRef, ServedKind } from '../cluster/client.js';
import type { ApplySet } from './apply-set.js';
import { inParallel } from './pool.js';

/**
 * Everything on the cluster that carries the set's label, sorted by resource key. Asked for by the kinds that the set's
 * parent lists, in the version of `asked` where that has them; a kind that is no longer served has no objects.
 */
export async function listMembers(
  client: ClusterClient,
  set: ApplySet,
  concurrency: number,
  asked: readonly KindRef[] = [],
): Promise<readonly KubeObject[]> {
  const wanted = new Set(set.contents.groupKinds);
  if (wanted.size === 0) return [];
  const kinds = oneVersionEach(await client.discover(), wanted, asked);
  const labelSelector = `${MARKS.partOf}=${set.id}`;
  const lists = await inParallel(kinds, concurrency, (kind) =>
    client.list(kind, { labelSelector }),
  );
  return sorted(
    lists.flat(),
    compareBy((object) => refKey(refOf(object))),
  );
}

/** One version of each kind: the one asked for, else the first that discovery names. */
function oneVersionEach(
  served: readonly ServedKind[],
  wanted: ReadonlySet<string>,
  asked: readonly KindRef[],
): readonly ServedKind[] {
  const versions = new Map(asked.map((kind) => [groupKindOf(kind), kind.apiVersion]));
  const chosen = new Map<string, ServedKind>();
  for (const kind of served) {
    const groupKind = groupKindOf(kind);
    if (!wanted.has(groupKind) || !kind.verbs.includes('list')) continue;
    if (!chosen.has(groupKind) || versions.get(groupKind) === kind.apiVersion)
      chosen.set(groupKind, kind);
  }
  return [...chosen.values()];
}
