import type { Release } from '../../engine/plan.js';
import type { ClusterClient } from '../cluster/client.js';
import { readSet, releaseHash, writeSet } from './apply-set.js';

/**
 * Record on the cluster that this release has passed its gate, so that a later run neither soaks nor asks again for it.
 * @throws {@link ProviderError}
 */
export async function proveRelease(release: Release, client: ClusterClient): Promise<void> {
  const set = await readSet(client, release);
  await writeSet(client, set, { ...set.contents, proven: releaseHash(release) });
}

/** Whether the cluster says so. A cluster without a set has proven nothing. */
export async function isProven(release: Release, client: ClusterClient): Promise<boolean> {
  if (release.manifests.length === 0) return true;
  const set = await readSet(client, release);
  return set.contents.proven === releaseHash(release);
}
