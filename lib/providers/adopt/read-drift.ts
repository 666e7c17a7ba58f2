import { compareBy, inOrder, sorted } from '../../engine/compare.js';
import type { LiveState } from '../../engine/input.js';
import type { Interpreter } from '../../engine/interpret/index.js';
import { refKey } from '../../engine/object.js';
import type { Plan } from '../../engine/plan.js';
import { driftOfRelease, type ObjectDrift } from '../../engine/rollout/index.js';
import { ProviderError, type Connect } from '../cluster/client.js';
import { findAutoscaled } from '../rollout/autoscaled.js';
import { inParallel, setIdOf } from '../rollout/index.js';
import { own } from '../../engine/own.js';

/**
 * How clusters that were read (`live`) differ from a plan; sorted by cluster, then resource key. Where
 * replicas differ the cluster is asked for autoscalers, since what those decide is no drift. Reads only.
 */
export async function readDrift(
  plan: Plan,
  live: LiveState,
  connect: Connect,
  interpreters: readonly Interpreter[] = [],
): Promise<readonly ObjectDrift[]> {
  const drifts = await inParallel(plan.releases, 16, async (release) => {
    const objects = own(live.members, release.cluster);
    if (objects === undefined) return [];
    const setId = setIdOf(release);
    const found = driftOfRelease(release, objects, {
      setId,
      interpreters,
      isAutoscaled: () => false,
    });
    const isAboutReplicas = found.some(({ fields }) =>
      fields.some(({ path }) => path === '.spec.replicas'),
    );
    if (!isAboutReplicas) return found;
    try {
      const isAutoscaled = await findAutoscaled(await connect(release.cluster), release.manifests);
      return driftOfRelease(release, objects, { setId, interpreters, isAutoscaled });
    } catch (error) {
      // It answered a moment ago. What it holds is known, and only that it may have an autoscaler is not.
      if (ProviderError.is(error)) return found;
      throw error;
    }
  });
  return sorted(
    drifts.flat(),
    inOrder(
      compareBy(({ cluster }) => cluster),
      compareBy(({ resource }) => refKey(resource)),
    ),
  );
}
