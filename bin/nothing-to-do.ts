import type { Plan } from '../lib/engine/plan.js';
import type { Access } from './access.js';
import { hasChanges } from './planning.js';

/**
 * Whether a run of this plan would only look: nothing changes, neither on a cluster nor in the lock, and each cluster has passed
 * its gate with exactly this. Then there is nothing to ask a person. A cluster that cannot say so counts as one that has not.
 */
export async function isNothingToDo(plan: Plan, access: Access): Promise<boolean> {
  if (hasChanges(plan)) return false;
  const { inParallel, readGateMarks } = await import('../lib/providers/rollout/index.js');
  const proven = await inParallel(plan.releases, 32, async (release) => {
    try {
      return (await readGateMarks(release, await access.connect(release.cluster))).proven;
    } catch {
      // The run itself will say what is wrong with the cluster.
      return false;
    }
  });
  return proven.every(Boolean);
}
