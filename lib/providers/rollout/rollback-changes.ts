import { refKey, refOf } from '../../engine/object.js';
import type { Release } from '../../engine/plan.js';
import { changesOf, type ObjectChange } from '../../engine/rollout/index.js';
import type { Connect } from '../cluster/client.js';
import { readSet } from './apply-set.js';
import { findAutoscaled } from './autoscaled.js';
import { listMembers } from './members.js';
import { inParallel } from './pool.js';
import type { PreparedRollback } from './prepare-rollback.js';
import { readExisting } from './read-existing.js';

const CLUSTERS_AT_ONCE = 32;
const REQUESTS_AT_ONCE = 8;

/**
 * What a rollback will do to the clusters' objects, for people to look at before they agree. Reads only. In the order of
 * the rollback's releases, then by resource key.
 *
 * @throws {@link ProviderError} when a cluster that was read a moment ago no longer can be: then nothing should be begun
 */
export async function readRollbackChanges(
  { plan: { releases } }: Pick<PreparedRollback, 'plan'>,
  connect: Connect,
): Promise<readonly ObjectChange[]> {
  const changes = await inParallel(releases, CLUSTERS_AT_ONCE, (release) =>
    changesOn(release, connect),
  );
  return changes.flat();
}

async function changesOn(release: Release, connect: Connect): Promise<readonly ObjectChange[]> {
  const client = await connect(release.cluster);
  const set = await readSet(client, release);
  const refs = [...release.manifests, ...release.deletions].map(({ resource }) => resource);
  const members = await listMembers(client, set, REQUESTS_AT_ONCE, refs);
  const live = new Map(members.map((object) => [refKey(refOf(object)), object]));
  const others = refs.filter((ref) => !live.has(refKey(ref)));
  const [found, isAutoscaled] = await Promise.all([
    readExisting(client, others, REQUESTS_AT_ONCE),
    findAutoscaled(client, release.manifests),
  ]);
  return changesOf(release, new Map([...live, ...found]), { setId: set.id, isAutoscaled });
}
