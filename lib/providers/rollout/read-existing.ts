import type { KubeObject, ObjectRef } from '../../api/object.js';
import { refKey, refOf } from '../../engine/object.js';
import { MARKS } from '../../engine/plan.js';
import { groupKindOf } from '../../engine/rollout/index.js';
import { ProviderError, type ClusterClient, type KindRef } from '../cluster/client.js';
import type { ApplySet } from './apply-set.js';
import { inParallel } from './pool.js';

/** From so many objects of one kind and namespace on, one list is cheaper than single reads. */
const LIST_FROM = 5;

/**
 * What a cluster has of these objects, by resource key. A kind that is not served (its CRD comes with the release) has
 * no objects; everything else that goes wrong is thrown.
 *
 * With a set, its members come in one list a kind, and only what is missing there is asked for by name: it is new, or
 * somebody else's.
 */
export async function readExisting(
  client: ClusterClient,
  refs: readonly ObjectRef[],
  concurrency: number,
  set?: ApplySet,
): Promise<ReadonlyMap<string, KubeObject>> {
  const members = set === undefined ? [] : await readMembers(client, refs, concurrency, set);
  const existing = new Map(members.map((object) => [refKey(refOf(object)), object]));
  const others = refs.filter((ref) => !existing.has(refKey(ref)));
  const groups = grouped(others, (ref) => `${kindKey(ref)} ${ref.namespace ?? ''}`);
  type Read = () => Promise<readonly (KubeObject | undefined)[]>;
  const reads = groups.flatMap((group): readonly Read[] =>
    group.length >= LIST_FROM
      ? [() => listed(client, group)]
      : group.map((ref) => async () => [await client.get(ref)]),
  );
  const found = await inParallel(reads, concurrency, (read) => ifServed(read));
  for (const object of found.flat())
    if (object !== undefined) existing.set(refKey(refOf(object)), object);
  return existing;
}

/** What carries the set's label among these objects. Not being allowed to list is no error: then they are read by name. */
async function readMembers(
  client: ClusterClient,
  refs: readonly ObjectRef[],
  concurrency: number,
  set: ApplySet,
): Promise<readonly KubeObject[]> {
  const known = new Set(set.contents.groupKinds);
  const groups = grouped(refs, kindKey).filter(
    ([first, second]) =>
      second !== undefined && first !== undefined && known.has(groupKindOf(first)),
  );
  const lists = await inParallel(groups, concurrency, async (group) => {
    const [{ apiVersion, kind, namespace } = { apiVersion: '', kind: '' }] = group;
    // Within one namespace a namespaced permission is enough.
    const isNarrow = namespace !== undefined && group.every((ref) => ref.namespace === namespace);
    const labelSelector = `${MARKS.partOf}=${set.id}`;
    try {
      return await client.list(
        { apiVersion, kind },
        { labelSelector, ...(isNarrow && { namespace }) },
      );
    } catch (error) {
      if (ProviderError.is(error) && LISTED_OTHERWISE.has(error.failure)) return [];
      throw error;
    }
  });
  return lists.flat();
}

const LISTED_OTHERWISE: ReadonlySet<string> = new Set(['forbidden', 'notServed']);

function grouped(
  refs: readonly ObjectRef[],
  keyOf: (ref: ObjectRef) => string,
): readonly (readonly ObjectRef[])[] {
  const groups = new Map<string, ObjectRef[]>();
  for (const ref of refs) {
    const group = groups.get(keyOf(ref));
    if (group === undefined) groups.set(keyOf(ref), [ref]);
    else group.push(ref);
  }
  return [...groups.values()];
}

function kindKey({ apiVersion, kind }: ObjectRef): string {
  return `${apiVersion}/${kind}`;
}

async function listed(
  client: ClusterClient,
  group: readonly ObjectRef[],
): Promise<readonly KubeObject[]> {
  const [first] = group;
  if (first === undefined) return [];
  const kind: KindRef = { apiVersion: first.apiVersion, kind: first.kind };
  const wanted = new Set(group.map(refKey));
  const { namespace } = first;
  const objects = await client.list(kind, namespace === undefined ? {} : { namespace });
  return objects.filter((object) => wanted.has(refKey(refOf(object))));
}

async function ifServed<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await read();
  } catch (error) {
    if (ProviderError.is(error) && error.failure === 'notServed') return [];
    throw error;
  }
}
