import type { KubeObject, ObjectRef } from '../../api/object.js';
import { refKey, refOf } from '../../engine/object.js';
import { ProviderError, type ClusterClient, type KindRef } from '../cluster/client.js';
import { inParallel } from './pool.js';

/** From so many objects of one kind and namespace on, one list is cheaper than single reads. */
const LIST_FROM = 5;

/**
 * What a cluster has of these objects, by resource key. A kind that is not served (its CRD comes with the release) has
 * no objects; everything else that goes wrong is thrown.
 */
export async function readExisting(
  client: ClusterClient,
  refs: readonly ObjectRef[],
  concurrency: number,
): Promise<ReadonlyMap<string, KubeObject>> {
  const groups = new Map<string, ObjectRef[]>();
  for (const ref of refs) {
    const key = `${ref.apiVersion}/${ref.kind}/${ref.namespace ?? ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [ref]);
    else group.push(ref);
  }
  type Read = () => Promise<readonly (KubeObject | undefined)[]>;
  const reads = [...groups.values()].flatMap((group): readonly Read[] =>
    group.length >= LIST_FROM
      ? [() => listed(client, group)]
      : group.map((ref) => async () => [await client.get(ref)]),
  );
  const found = await inParallel(reads, concurrency, (read) => ifServed(read));
  const existing = new Map<string, KubeObject>();
  for (const object of found.flat())
    if (object !== undefined) existing.set(refKey(refOf(object)), object);
  return existing;
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
