import type { LiveState } from '../../engine/input.js';
import type { Interpreter } from '../../engine/interpret/index.js';
import { refKey, refOf } from '../../engine/object.js';
import type { Release } from '../../engine/plan.js';
import { changesOf, type ObjectChange } from '../../engine/rollout/index.js';
import { ProviderError, type Connect } from '../cluster/client.js';
import { setIdOf } from './apply-set.js';
import { findAutoscaled } from './autoscaled.js';
import { inParallel } from './pool.js';

const CLUSTERS_AT_ONCE = 32;

/**
 * What a rollout will do to the objects of clusters that were read (`live`), for people to look at before they agree; nothing
 * for the others. A cluster is asked again only where replicas change, for its autoscalers. Reads only. In the order of the
 * releases, then by resource key.
 */
export async function readRolloutChanges(
  releases: readonly Release[],
  live: LiveState,
  connect: Connect,
  interpreters: readonly Interpreter[] = [],
): Promise<readonly ObjectChange[]> {
  const changes = await inParallel(releases, CLUSTERS_AT_ONCE, async (release) => {
    const objects = live.members[release.cluster];
    if (objects === undefined) return [];
    const there = new Map(objects.map((object) => [refKey(refOf(object)), object]));
    const context = { setId: setIdOf(release), interpreters };
    const found = changesOf(release, there, { ...context, isAutoscaled: () => false });
    if (!found.some(changesReplicas)) return found;
    try {
      const isAutoscaled = await findAutoscaled(await connect(release.cluster), release.manifests);
      return changesOf(release, there, { ...context, isAutoscaled });
    } catch (error) {
      // It answered a moment ago. Only that it may have an autoscaler is not known.
      if (ProviderError.is(error)) return found;
      throw error;
    }
  });
  return changes.flat();
}

function changesReplicas({ before, after }: ObjectChange): boolean {
  const replicas = [before, after].map(
    (side) => (side?.['spec'] as { readonly replicas?: unknown } | undefined)?.replicas,
  );
  return before !== undefined && after !== undefined && replicas[0] !== replicas[1];
}
