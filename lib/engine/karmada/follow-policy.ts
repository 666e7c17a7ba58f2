import { compareStrings, sorted } from '../compare.js';
import { describeRef, refKey } from '../object.js';
import type { ControlPlaneView } from './action.js';
import { policyKey, type BindingGoal } from './goal.js';
import type { WorkView } from './view.js';

/**
 * Works that do not say yet what their policy says. Asked twice: before the field is written, since a release that is still on
 * its way could overtake the hold unseen; and before anything else is, since a change can be processed with the policy of before.
 */
export function notFollowedYet(goal: BindingGoal, view: ControlPlaneView): readonly string[] {
  const policy = view.policies.get(policyKey(goal.policy));
  const binding = view.bindings.get(refKey(goal.resource));
  if (policy === undefined || binding === undefined) return [];
  const clusters = new Set([...binding.works, ...binding.shares].map(({ cluster }) => cluster));
  const isBehind = ({ generation = Infinity }: WorkView): boolean =>
    generation < (goal.generation ?? 0);
  // Others are built, this one is not: an override fails for it. It takes the suspension from its binding once it can be built.
  const areOthersBuilt = binding.works.some((work) => !isBehind(work));
  const late = sorted(clusters, compareStrings).filter((cluster) => {
    const wanted = policy.suspended.includes(cluster);
    if (binding.suspended.includes(cluster) !== wanted) return true;
    const work = binding.works.find((one) => one.cluster === cluster);
    if (work === undefined || (isBehind(work) && areOthersBuilt)) return false;
    return work.isSuspended !== wanted;
  });
  return late.map((cluster) => {
    const what = policy.suspended.includes(cluster) ? 'suspended' : 'released';
    return `${describeRef(goal.resource)}: the Work of ${cluster} to be ${what}`;
  });
}
