import type { ObjectRef } from '../../api/object.js';
import { compareStrings, sorted } from '../compare.js';
import { describeRef, isOf, refKey } from '../object.js';
import type { PolicyRef } from '../plan.js';
import type { ControlPlaneView } from './action.js';
import { decidedOtherwise, notScheduledYet } from './decision.js';
import { describePolicy, policyKey, type BindingGoal, type Share } from './goal.js';
import { hasObserved, stageOf } from './stage.js';
import { keeperOf, type Keeper } from './suspension.js';
import type { BindingView } from './view.js';

/** A document against what the control plane holds. `unknown`: it could not be asked, e.g. for want of permission. */
export type DocumentState = 'same' | 'differs' | 'missing' | 'unknown';

/** What was read of one template of the plan. */
export interface TemplateFacts {
  readonly resource: ObjectRef;
  /** Null: it follows others, and its binding has no placement. */
  readonly policy: PolicyRef | null;
  /** A dependency with a policy of its own: other workloads may send it to more clusters. */
  readonly isFollower?: true;
  /** Sorted by cluster. */
  readonly planned: readonly Share[];
  readonly state: DocumentState;
  /** Of the template as stored; absent for kinds without, and where it is missing. */
  readonly generation?: number;
  /** In the template's own status, as Karmada aggregated it. */
  readonly observedGeneration?: number;
}

/** One cluster of a template, as the control plane tells. Optional fields are absent where it tells nothing. */
export interface KarmadaClusterStatus {
  readonly cluster: string;
  readonly planned: boolean;
  readonly plannedReplicas?: number;
  /** What Karmada has decided: `spec.clusters` of the binding. */
  readonly replicas?: number;
  readonly applied: boolean;
  readonly health: string;
  readonly appliedMessage?: string;
  /** The template's generation that the reported status is of. */
  readonly generation?: number;
  /** Whole numbers of the reported status, nothing else. */
  readonly status: Readonly<Record<string, number>>;
  readonly suspendedBy?: Keeper;
  readonly ready: boolean;
  /** Empty when ready. */
  readonly waitingFor: string;
}

export interface KarmadaTemplateStatus {
  readonly resource: ObjectRef;
  readonly state: DocumentState;
  /** The policy that owns it, as its binding shows; null: none does. */
  readonly policy: PolicyRef | null;
  /** The policy that should; null: it follows its workloads. */
  readonly plannedPolicy: PolicyRef | null;
  /** 0: there is none. */
  readonly generation: number;
  /** The generation, once every planned cluster has observed it; else 0. */
  readonly observedGeneration: number;
  /** Planned clusters that have not, sorted. */
  readonly behind: readonly string[];
  /** What the template's own status says: moves with the last cluster's release, not when it is ready. */
  readonly karmadaObservedGeneration?: number;
  readonly ready: boolean;
  /** What concerns no cluster alone: missing, different, owned by another policy, decided otherwise. */
  readonly findings: readonly string[];
  /** Planned ones, and others that still have it; sorted. */
  readonly clusters: readonly KarmadaClusterStatus[];
}

/** One template over its clusters. Texts that members wrote about Secrets are left out: they may quote them. */
export function templateStatus(
  facts: TemplateFacts,
  plane: ControlPlaneView,
): KarmadaTemplateStatus {
  const { resource, state, generation = 0, observedGeneration } = facts;
  const seen = plane.bindings.get(refKey(resource));
  const binding = seen !== undefined && isOf(resource, '', 'Secret') ? withoutWords(seen) : seen;
  const rows = clustersOf(facts, binding).map((cluster) => rowOf(facts, plane, binding, cluster));
  const goal = goalOf(facts);
  const behind = facts.planned
    .map(({ cluster }) => cluster)
    .filter((cluster) => binding === undefined || !hasObserved(goal, binding, cluster));
  const findings = findingsOf(facts, plane, binding);
  return {
    resource,
    state,
    policy: binding?.policy ?? null,
    plannedPolicy: facts.policy,
    generation,
    observedGeneration: behind.length === 0 && facts.planned.length > 0 ? generation : 0,
    behind,
    ...(observedGeneration !== undefined && { karmadaObservedGeneration: observedGeneration }),
    ready: findings.length === 0 && rows.every(({ ready }) => ready),
    findings,
    clusters: rows,
  };
}

/**
 * Whether a cluster has what Karmada has decided for it: more than planned while something grows before it shrinks. This is what
 * a wave waits for.
 */
export function hasPassed(facts: TemplateFacts, plane: ControlPlaneView, cluster: string): boolean {
  const binding = plane.bindings.get(refKey(facts.resource));
  const planned = new Set(facts.planned.map((one) => one.cluster));
  const shares = binding === undefined ? [] : binding.shares;
  const decided = shares.filter((one) => planned.has(one.cluster));
  const goal = { ...goalOf(facts), ...(decided.length > 0 && { shares: decided }) };
  return facts.state !== 'missing' && stageOf(goal, binding, cluster).passed;
}

function goalOf({ resource, policy, planned, isFollower, generation }: TemplateFacts): BindingGoal {
  return {
    resource,
    policy: policy ?? NO_POLICY,
    shares: planned,
    ...(isFollower === true && { isFollower }),
    leaving: [],
    ...(generation !== undefined && { generation }),
  };
}

/** Of goals that nothing asks for their policy. */
const NO_POLICY: PolicyRef = { kind: 'ClusterPropagationPolicy', name: '' };

/** Followers go where others need them: only the clusters of this plan are ours to judge. */
function clustersOf(
  { planned, policy, isFollower }: TemplateFacts,
  binding: BindingView | undefined,
): readonly string[] {
  const isFollowing = policy === null || isFollower === true;
  const others = binding === undefined || isFollowing ? [] : [...binding.shares, ...binding.works];
  const names = [...planned, ...others].map(({ cluster }) => cluster);
  return sorted(new Set(names), compareStrings);
}

function rowOf(
  facts: TemplateFacts,
  plane: ControlPlaneView,
  binding: BindingView | undefined,
  cluster: string,
): KarmadaClusterStatus {
  const isCluster = (one: { readonly cluster: string }): boolean => one.cluster === cluster;
  const share = facts.planned.find(isCluster);
  const item = binding?.items.find(isCluster);
  const work = binding?.works.find(isCluster);
  const replicas = binding?.shares.find(isCluster)?.replicas;
  const message = item?.message ?? work?.appliedMessage;
  const isSuspended = work?.isSuspended === true || binding?.suspended.includes(cluster) === true;
  const owner = binding?.policy ?? facts.policy;
  const policy = owner === null ? undefined : plane.policies.get(policyKey(owner));
  const waitingFor = waitsFor(facts, binding, cluster);
  const { resourceTemplateGeneration: generation, ...status } = numbersOf(item?.status ?? {});
  return {
    cluster,
    planned: share !== undefined,
    ...(share?.replicas !== undefined && { plannedReplicas: share.replicas }),
    ...(replicas !== undefined && { replicas }),
    applied: item?.isApplied === true,
    health: item?.health ?? 'Unknown',
    ...(item?.isApplied !== true && message !== undefined && { appliedMessage: message }),
    ...(generation !== undefined && { generation }),
    status,
    ...(isSuspended && { suspendedBy: keeperOf(policy, cluster) }),
    ready: waitingFor === '',
    waitingFor,
  };
}

function waitsFor(facts: TemplateFacts, binding: BindingView | undefined, cluster: string): string {
  if (!facts.planned.some((one) => one.cluster === cluster))
    return 'not in the plan: leaves at the end of the rollout';
  return withoutName(stageOf(goalOf(facts), binding, cluster).waitingFor, facts);
}

const STATES: Readonly<Record<DocumentState, readonly string[]>> = {
  same: [],
  missing: ['is not on the control plane'],
  differs: ['differs from the plan'],
  unknown: ['could not be compared with the plan'],
};

function findingsOf(
  facts: TemplateFacts,
  plane: ControlPlaneView,
  binding: BindingView | undefined,
): readonly string[] {
  const { policy, state } = facts;
  // Without the object, what is said about its binding is about something else.
  if (policy === null || state === 'missing') return STATES[state];
  const goal = goalOf(facts);
  const decided = decidedOtherwise(goal, plane);
  return [
    ...STATES[state],
    ...ownerFindings(policy, binding),
    ...(decided?.kind === 'stop' ? [withoutName(decided.reason, facts)] : []),
    ...notScheduledYet(goal, plane).map((one) => `waits for ${withoutName(one, facts)}`),
  ];
}

/** Its name stands above. */
function withoutName(text: string, { resource }: TemplateFacts): string {
  const name = describeRef(resource);
  return text.startsWith(name) ? text.slice(name.length).replace(/^:? /, '') : text;
}

function ownerFindings(planned: PolicyRef, binding: BindingView | undefined): readonly string[] {
  if (binding === undefined) return [];
  const { policy } = binding;
  if (policy !== undefined && policyKey(policy) === policyKey(planned)) return [];
  const owner = policy === undefined ? 'no policy' : describePolicy(policy);
  return [`owned by ${owner}, the plan says ${describePolicy(planned)}`];
}

function withoutWords(binding: BindingView): BindingView {
  return {
    ...binding,
    works: binding.works.map(({ appliedMessage: _words, ...work }) => work),
    items: binding.items.map(({ message: _words, ...item }) => item),
  };
}

function numbersOf(status: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(status).filter(
      (entry): entry is [string, number] =>
        typeof entry[1] === 'number' && Number.isSafeInteger(entry[1]),
    ),
  );
}
