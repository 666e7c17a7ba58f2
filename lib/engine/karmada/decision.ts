import { canonicalJson } from '../canonical.js';
import { compareStrings, sorted } from '../compare.js';
import { describeRef, refKey } from '../object.js';
import { stop, type ControlPlaneView, type KarmadaAction } from './action.js';
import { policyKey, type BindingGoal, type Share } from './goal.js';
import type { BindingView } from './view.js';

/** Stops where Karmada's answer to what was applied is another one than the plan's. */
export function decidedOtherwise(
  goal: BindingGoal,
  view: ControlPlaneView,
): KarmadaAction | undefined {
  const binding = view.bindings.get(refKey(goal.resource));
  if (binding === undefined || !isCurrent(goal, binding, view)) return undefined;
  if (binding.schedulingFailure !== undefined)
    return stop(
      `${describeRef(goal.resource)}: Karmada cannot schedule it: ${binding.schedulingFailure}`,
      'Nothing was released. Refresh the fleet snapshot, plan again, and correct the placement.',
    );
  if (isSame(goal.shares, binding.shares)) return undefined;
  // A cluster that Karmada would not choose anew (it is not ready) keeps the object through its workload's binding.
  if (goal.isFollower === true && isWithin(binding.shares, goal.shares)) return undefined;
  return stop(
    `${describeRef(goal.resource)}: Karmada decided ${describeShares(binding.shares)}, the plan says ${describeShares(goal.shares)}.`,
    'Nothing more is released. Refresh the fleet snapshot (capacity or labels have moved on), plan again and run again.',
  );
}

/** What is missing until Karmada has answered. */
export function notScheduledYet(goal: BindingGoal, view: ControlPlaneView): readonly string[] {
  const binding = view.bindings.get(refKey(goal.resource));
  const what = describeRef(goal.resource);
  if (binding === undefined) return [`${what}: its binding to exist`];
  return isCurrent(goal, binding, view) ? [] : [`${what}: the scheduler to see the change`];
}

/** Whether the list of clusters is the answer to what was applied, not to what was there before (lifecycle reference §6.1). */
function isCurrent(goal: BindingGoal, binding: BindingView, view: ControlPlaneView): boolean {
  const policy = view.policies.get(policyKey(goal.policy));
  const total = goal.shares.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  const isCounted = goal.shares.some(({ replicas }) => replicas !== undefined);
  const hasCount =
    !isCounted || !isDividedPlacement(binding.placement) || binding.replicas === total;
  const hasPlacement =
    policy === undefined || canonicalJson(policy.placement) === canonicalJson(binding.placement);
  const hasTemplate =
    goal.generation === undefined ||
    binding.works.length === 0 ||
    binding.works.some(({ generation }) => (generation ?? Infinity) >= (goal.generation ?? 0));
  return binding.isScheduled && hasCount && hasPlacement && hasTemplate;
}

function isDividedPlacement(placement: unknown): boolean {
  const { replicaScheduling } = placement as {
    readonly replicaScheduling?: { readonly replicaSchedulingType?: string };
  };
  return replicaScheduling?.replicaSchedulingType === 'Divided';
}

function isWithin(decided: readonly Share[], planned: readonly Share[]): boolean {
  return decided.every(({ cluster }) => planned.some((share) => share.cluster === cluster));
}

function isSame(planned: readonly Share[], decided: readonly Share[]): boolean {
  if (planned.length !== decided.length) return false;
  return planned.every(({ cluster, replicas }, i) => {
    const other = decided[i];
    // A plan without counts (kinds that have none) leaves them to Karmada.
    return other?.cluster === cluster && (replicas === undefined || replicas === other.replicas);
  });
}

function describeShares(shares: readonly Share[]): string {
  if (shares.length === 0) return 'no cluster';
  return sorted(shares, (a, b) => compareStrings(a.cluster, b.cluster))
    .map(({ cluster, replicas }) => (replicas === undefined ? cluster : `${cluster} ${replicas}`))
    .join(', ');
}
