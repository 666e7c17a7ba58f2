import { compareStrings, sorted } from '../../engine/compare.js';
import { refOf } from '../../engine/object.js';
import type { ClusterClient } from '../cluster/client.js';
import { inParallel } from '../rollout/pool.js';
import type { KarmadaDocuments } from './documents.js';

/** Write namespaces and CRDs, and create the namespaces that the rest needs: nothing in them reaches a member by itself. */
export async function layFoundations(
  client: ClusterClient,
  { foundations, ...rest }: KarmadaDocuments,
  { concurrency, takeOver }: { readonly concurrency: number; readonly takeOver: boolean },
): Promise<void> {
  for (const object of foundations) await client.apply(object, { force: takeOver });
  const given = new Set(foundations.map(({ metadata }) => metadata.name));
  const needed = new Set(
    Object.values(rest)
      .flat()
      .flatMap(({ metadata }) => metadata.namespace ?? []),
  );
  const missing = sorted(needed, compareStrings).filter((name) => !given.has(name));
  await inParallel(missing, concurrency, async (name) => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    if ((await client.get(refOf(namespace))) === undefined) await client.apply(namespace);
  });
}
