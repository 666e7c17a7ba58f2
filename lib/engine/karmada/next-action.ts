import { canonicalJson } from '../canonical.js';
import { compareStrings, sorted } from '../compare.js';
import { describeRef, refKey } from '../object.js';
import type { PolicyRef } from '../plan.js';
import {
  policyKey,
  type BindingGoal,
  type KarmadaGoal,
  type PolicyGoal,
  type Share,
} from './goal.js';
import {
  hold,
  release,
  suspendedByOthers,
  type PolicyView,
  type SuspensionWrite,
} from './suspension.js';
import type { BindingView, WorkView } from './view.js';

/** The control plane at one moment; keys are {@link policyKey} and `refKey` of the template. Absent: it does not exist. */
export interface ControlPlaneView {
  readonly policies: ReadonlyMap<string, PolicyView>;
  readonly bindings: ReadonlyMap<string, BindingView>;
}

/** What this run has done and may do. */
export interface StepProgress {
  /** Documents of this pass are written. */
  readonly isApplied: boolean;
  /** Clusters whose turn has come. */
  readonly mayRelease: ReadonlySet<string>;
}

export type KarmadaAction =
  /** Suspend: write the field. Nothing else may be written before. */
  | { readonly kind: 'hold'; readonly write: SuspensionWrite }
  /** Every Work is suspended: now templates, policies and overrides may change. */
  | { readonly kind: 'apply' }
  | {
      readonly kind: 'release';
      readonly write: SuspensionWrite;
      readonly clusters: readonly string[];
    }
  /** Nothing to write until the control plane moves on. */
  | {
      readonly kind: 'wait';
      readonly phase: 'holding' | 'scheduling' | 'stepping';
      readonly waitingFor: readonly string[];
    }
  /** A person must decide; everything not released stays suspended. */
  | { readonly kind: 'stop'; readonly reason: string; readonly hint: string };

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

/**
 * Works that do not say yet what their policy says. Asked twice: before the field is written, since a release that is still on
 * its way could overtake the hold unseen; and before anything else is, since a change can be processed with the policy of before.
 */
function notFollowedYet(goal: BindingGoal, view: ControlPlaneView): readonly string[] {
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

function decidedOtherwise(goal: BindingGoal, view: ControlPlaneView): KarmadaAction | undefined {
  const binding = view.bindings.get(refKey(goal.resource));
  if (binding === undefined || !isCurrent(goal, binding, view)) return undefined;
  if (binding.schedulingFailure !== undefined)
    return stop(
      `${describeRef(goal.resource)}: Karmada cannot schedule it: ${binding.schedulingFailure}`,
      'Nothing was released. Refresh the fleet snapshot, plan again, and correct the placement.',
    );
  if (isSame(goal.shares, binding.shares)) return undefined;
  return stop(
    `${describeRef(goal.resource)}: Karmada decided ${describeShares(binding.shares)}, the plan says ${describeShares(goal.shares)}.`,
    'Nothing more is released. Refresh the fleet snapshot (capacity or labels have moved on), plan again and run again.',
  );
}

function notScheduledYet(goal: BindingGoal, view: ControlPlaneView): readonly string[] {
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

function isSame(planned: readonly Share[], decided: readonly Share[]): boolean {
  if (planned.length !== decided.length) return false;
  return planned.every(({ cluster, replicas }, i) => {
    const other = decided[i];
    // A plan without counts (kinds that have none) leaves them to Karmada.
    return other?.cluster === cluster && (replicas === undefined || replicas === other.replicas);
  });
}

function interfered(policy: PolicyRef): KarmadaAction {
  return stop(
    `${describePolicy(policy)} no longer says what is held for this rollout: it was changed by somebody else meanwhile.`,
    'See who changed it, then run again: the rollout continues from the field as it is.',
  );
}

function stop(reason: string, hint: string): KarmadaAction {
  return { kind: 'stop', reason, hint };
}

export function describePolicy({ kind, namespace, name }: PolicyRef): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

function describeShares(shares: readonly Share[]): string {
  if (shares.length === 0) return 'no cluster';
  return sorted(shares, (a, b) => compareStrings(a.cluster, b.cluster))
    .map(({ cluster, replicas }) => (replicas === undefined ? cluster : `${cluster} ${replicas}`))
    .join(', ');
}

function firstOf<T>(
  values: readonly T[],
  find: (value: T) => KarmadaAction | undefined,
): KarmadaAction | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Clusters of a goal that somebody else keeps suspended, by policy; sorted. */
export function keptByOthers(
  goal: PolicyGoal,
  view: PolicyView,
): { readonly byPerson: readonly string[]; readonly byDocument: readonly string[] } {
  const wanted = new Set(goal.clusters);
  return {
    byPerson: suspendedByOthers(view).filter((cluster) => wanted.has(cluster)),
    byDocument: (view.memory?.document ?? []).filter((cluster) => wanted.has(cluster)),
  };
}
