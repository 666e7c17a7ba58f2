import type { KubeObject, ObjectRef } from '../../api/object.js';
import { MARKS } from '../../engine/plan.js';
import { refKey, refOf } from '../../engine/object.js';
import type { ClusterClient, KindRef, ListOptions } from '../cluster/client.js';
import type { Board } from './board.js';

/** One watch: a kind of the set, in one namespace or everywhere. */
interface Watched {
  readonly kind: KindRef;
  readonly options: ListOptions;
}

/**
 * Keep the board up to date from watches, one per kind and set, until `signal` aborts; then it ends quietly.
 * `resources` are those whose readiness can change after they were stored.
 * @throws {@link ProviderError} when a watch fails for good: the cluster stays away, or forbids it.
 */
export async function follow(
  client: ClusterClient,
  setId: string,
  resources: readonly ObjectRef[],
  board: Board,
  signal: AbortSignal,
): Promise<void> {
  const own = new AbortController();
  const both = AbortSignal.any([signal, own.signal]);
  const watches = watchedOf(resources, setId).map((watched) =>
    followOne(client, watched, board, both),
  );
  try {
    await Promise.all(watches);
  } finally {
    // One watch that fails takes the others with it: nobody listens any more.
    own.abort();
    await Promise.allSettled(watches);
  }
}

function watchedOf(resources: readonly ObjectRef[], setId: string): readonly Watched[] {
  const namespaces = new Map<string, { kind: KindRef; of: Set<string | undefined> }>();
  for (const { apiVersion, kind, namespace } of resources) {
    const key = `${apiVersion}/${kind}`;
    const known = namespaces.get(key) ?? { kind: { apiVersion, kind }, of: new Set() };
    known.of.add(namespace);
    namespaces.set(key, known);
  }
  return [...namespaces.values()].map(({ kind, of }) => {
    const [namespace] = of;
    const labelSelector = `${MARKS.partOf}=${setId}`;
    // Within one namespace a namespaced permission is enough.
    const isNarrow = of.size === 1 && namespace !== undefined;
    return { kind, options: { labelSelector, ...(isNarrow && { namespace }) } };
  });
}

async function followOne(
  client: ClusterClient,
  { kind, options }: Watched,
  board: Board,
  signal: AbortSignal,
): Promise<void> {
  let known = new Set<string>();
  for await (const event of client.watch(kind, options, signal)) {
    if (event.type === 'LISTED') {
      const listed = new Set(event.objects.map((object) => see(board, object)));
      // Gone while nobody looked.
      for (const key of known) if (!listed.has(key)) board.saw(key, undefined);
      known = listed;
      continue;
    }
    const key = refKey(refOf(event.object));
    if (event.type === 'DELETED') board.saw(key, undefined);
    else see(board, event.object);
    known.add(key);
  }
}

function see(board: Board, object: KubeObject): string {
  const key = refKey(refOf(object));
  board.saw(key, object);
  return key;
}
