import { refKey, refOf } from '../../engine/object.js';
import { isPrecious } from '../../engine/order.js';
import type { Deletion, Release } from '../../engine/plan.js';
import type { ClusterClient } from '../cluster/client.js';
import { listMembers, readSet } from '../rollout/index.js';

/** Members of the application's set that the plan does not have: left by an interrupted run. Never what holds data. */
export async function leftoversOf(release: Release, client: ClusterClient): Promise<Deletion[]> {
  const known = new Set(
    [...release.manifests, ...release.deletions].map(({ resource }) => refKey(resource)),
  );
  const members = await listMembers(client, await readSet(client, release), 8);
  return members
    .map(refOf)
    .filter((ref) => !known.has(refKey(ref)) && !isPrecious(ref))
    .map((resource) => ({ resource, reason: 'left behind by an interrupted run' }));
}
