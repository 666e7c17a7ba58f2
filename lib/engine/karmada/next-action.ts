import type { PolicyRef } from '../plan.js';
import {
  firstOf,
  stop,
  type ControlPlaneView,
  type KarmadaAction,
  type StepProgress,
} from './action.js';
import { decidedOtherwise, notScheduledYet } from './decision.js';
import { notFollowedYet } from './follow-policy.js';
import { describePolicy, policyKey, type KarmadaGoal, type PolicyGoal } from './goal.js';
import { hold, release } from './suspension.js';

/**
 * What to do next, from what the control plane shows now. Pure and total; asked again after every change.
 *
 * The order holds whatever happens in between: (1) hold, (2) every Work says so, (3) apply, (4) Karmada has decided what the
 * plan says, (5) release what may be released. A second run starts at the same place, since the policies remember (ADR 0120).
 */
export function nextAction(
  goal: KarmadaGoal,
  view: ControlPlaneView,
  progress: StepProgress,
): KarmadaAction {
  const obstacle = firstOf(goal.policies, (policy) => obstacleOf(policy, view));
  if (obstacle !== undefined) return obstacle;
  return progress.isApplied ? afterApply(goal, view, progress) : beforeApply(goal, view);
}

function obstacleOf({ policy }: PolicyGoal, view: ControlPlaneView): KarmadaAction | undefined {
  const current = view.policies.get(policyKey(policy));
  if (current === undefined) return undefined;
  if (current.isSuspendedWhole)
    return stop(
      `${describePolicy(policy)} suspends dispatching to all clusters (spec.suspension.dispatching), and somebody else set that.`,
      'Set it to false, or list the clusters that shall wait under dispatchingOnClusters; then run again.',
    );
  if (current.isLazy)
    return stop(
      `${describePolicy(policy)} is Lazy: its suspension would come into force only together with the change it should hold back.`,
      'Remove activationPreference from the policy for the time of the rollout.',
    );
  return undefined;
}

function beforeApply(goal: KarmadaGoal, view: ControlPlaneView): KarmadaAction {
  const isHeld = ({ policy }: PolicyGoal): boolean =>
    // Held for this very change: what is not in the list any more has been released by an earlier run.
    view.policies.get(policyKey(policy))?.memory?.rollout === goal.rollout;
  const next = goal.policies.find((policy) => !isHeld(policy));
  const isStepped = new Set(goal.policies.map(({ policy }) => policyKey(policy)));
  const waitingFor = goal.bindings
    .filter(({ policy }) => isStepped.has(policyKey(policy)))
    .filter(({ policy }) => next === undefined || policyKey(policy) === policyKey(next.policy))
    .flatMap((binding) => notFollowedYet(binding, view));
  if (waitingFor.length > 0) return { kind: 'wait', phase: 'holding', waitingFor };
  if (next === undefined) return { kind: 'apply' };
  const current = view.policies.get(policyKey(next.policy));
  return { kind: 'hold', write: hold(next, current, goal.rollout) };
}

function afterApply(
  goal: KarmadaGoal,
  view: ControlPlaneView,
  { mayRelease }: StepProgress,
): KarmadaAction {
  const lost = firstOf(goal.policies, ({ policy }) => {
    const memory = view.policies.get(policyKey(policy))?.memory;
    return memory?.rollout === goal.rollout ? undefined : interfered(policy);
  });
  if (lost !== undefined) return lost;
  const other = firstOf(goal.bindings, (binding) => decidedOtherwise(binding, view));
  if (other !== undefined) return other;
  const waitingFor = goal.bindings.flatMap((binding) => notScheduledYet(binding, view));
  if (waitingFor.length > 0) return { kind: 'wait', phase: 'scheduling', waitingFor };
  for (const policy of goal.policies) {
    const action = tryRelease(policy, view, mayRelease);
    if (action !== undefined) return action;
  }
  return { kind: 'wait', phase: 'stepping', waitingFor: [] };
}

function tryRelease(
  goal: PolicyGoal,
  view: ControlPlaneView,
  mayRelease: ReadonlySet<string>,
): KarmadaAction | undefined {
  const current = view.policies.get(policyKey(goal.policy));
  if (current?.memory === undefined) return undefined;
  const { memory } = current;
  const clusters = memory.held.filter(
    (cluster) =>
      mayRelease.has(cluster) &&
      current.suspended.includes(cluster) &&
      !goal.leaving.includes(cluster),
  );
  if (clusters.length === 0) return undefined;
  return { kind: 'release', write: release(goal, current, memory, clusters), clusters };
}

function interfered(policy: PolicyRef): KarmadaAction {
  return stop(
    `${describePolicy(policy)} no longer says what is held for this rollout: it was changed by somebody else meanwhile.`,
    'See who changed it, then run again: the rollout continues from the field as it is.',
  );
}
