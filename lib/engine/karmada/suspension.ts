import type { KubeObject } from '../../api/object.js';
import { approvalOf, type WaveApproval } from './approval.js';
import { compareStrings, sorted } from '../compare.js';
import type { PolicyRef } from '../plan.js';
import type { PolicyGoal } from './goal.js';
import { parseMemory, printMemory, SUSPENSION_MEMORY, type SuspensionMemory } from './memory.js';

/** A policy as it stands on the control plane, as far as suspension goes. */
export interface PolicyView {
  readonly resourceVersion?: string;
  /** `spec.suspension.dispatching`: everything stands still, whatever the list says. */
  readonly isSuspendedWhole: boolean;
  /** `dispatchingOnClusters.clusterNames`, sorted. */
  readonly suspended: readonly string[];
  readonly memory?: SuspensionMemory;
  /** What a person let pass. */
  readonly approval?: WaveApproval;
  readonly placement: unknown;
  /** `Lazy`: a change of the policy, its suspension too, waits for a change of the template. */
  readonly isLazy: boolean;
}

/** The whole value of the field and of the annotation after a write. An empty list removes the field. */
export interface SuspensionWrite {
  readonly policy: PolicyRef;
  readonly clusterNames: readonly string[];
  /** Absent: the annotation goes. */
  readonly memory?: string;
  /** The write holds only for this version: nobody's change in between is overwritten. Absent: it did not exist. */
  readonly resourceVersion?: string;
}

export function toPolicyView(object: KubeObject): PolicyView {
  const spec = (object['spec'] ?? {}) as {
    readonly suspension?: {
      readonly dispatching?: boolean;
      readonly dispatchingOnClusters?: { readonly clusterNames?: readonly string[] };
    };
    readonly placement?: unknown;
    readonly activationPreference?: string;
  };
  const { resourceVersion, annotations } = object.metadata;
  const memory = parseMemory(annotations?.[SUSPENSION_MEMORY]);
  const approval = approvalOf(object);
  const names = spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
  return {
    ...(resourceVersion !== undefined && { resourceVersion }),
    isSuspendedWhole: spec.suspension?.dispatching === true,
    suspended: union(names),
    ...(memory !== undefined && { memory }),
    ...(approval !== undefined && { approval }),
    placement: spec.placement ?? {},
    isLazy: spec.activationPreference === 'Lazy',
  };
}

/** Clusters that somebody else suspended, outside of our documents: never ours to release. Sorted. */
export function suspendedByOthers({ suspended, memory }: PolicyView): readonly string[] {
  const ours = new Set([...(memory?.held ?? []), ...(memory?.document ?? [])]);
  return suspended.filter((cluster) => !ours.has(cluster));
}

/** Who keeps a cluster suspended: a rollout of ours, the policy's document, or somebody else. */
export type Keeper = 'rollout' | 'document' | 'others';

/** Whose a suspended cluster is. Without a policy that lists it nobody knows, so it is not ours. */
export function keeperOf(view: PolicyView | undefined, cluster: string): Keeper {
  if (view === undefined || view.isSuspendedWhole || !view.suspended.includes(cluster))
    return 'others';
  if (view.memory?.document.includes(cluster) === true) return 'document';
  return view.memory?.held.includes(cluster) === true ? 'rollout' : 'others';
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

/**
 * Suspend all clusters of the goal, those that an earlier change has left held included. What others suspended stays in
 * the list and stays theirs.
 */
export function hold(
  goal: PolicyGoal,
  view: PolicyView | undefined,
  rollout: string,
): SuspensionWrite {
  const theirs = view === undefined ? [] : suspendedByOthers(view);
  const document = goal.suspendedByDocument.filter((cluster) => !theirs.includes(cluster));
  const others = new Set([...theirs, ...document]);
  const held = union(goal.clusters, view?.memory?.held ?? []).filter((name) => !others.has(name));
  return write(goal.policy, view, { rollout, held, document }, theirs);
}

/** Let some of the held clusters go. The list keeps whatever else stands in it now. */
export function release(
  goal: PolicyGoal,
  view: PolicyView,
  memory: SuspensionMemory,
  clusters: readonly string[],
): SuspensionWrite {
  // Held, and gone from the list: somebody released it before us.
  const held = memory.held.filter(
    (cluster) => view.suspended.includes(cluster) && !clusters.includes(cluster),
  );
  return write(goal.policy, view, { ...memory, held }, suspendedByOthers(view));
}

/** The end: nothing is ours any more. The field is removed only if nobody else's clusters are in it. */
export function giveBack(policy: PolicyRef, view: PolicyView): SuspensionWrite {
  const { memory } = view;
  const document = memory?.document.filter((name) => view.suspended.includes(name)) ?? [];
  const clusterNames = union(suspendedByOthers(view), document);
  return {
    policy,
    clusterNames,
    ...(document.length > 0 && { memory: printMemory({ rollout: 'done', held: [], document }) }),
    ...(view.resourceVersion !== undefined && { resourceVersion: view.resourceVersion }),
  };
}

function write(
  policy: PolicyRef,
  view: PolicyView | undefined,
  memory: SuspensionMemory,
  theirs: readonly string[],
): SuspensionWrite {
  return {
    policy,
    clusterNames: union(memory.held, memory.document, theirs),
    memory: printMemory(memory),
    ...(view?.resourceVersion !== undefined && { resourceVersion: view.resourceVersion }),
  };
}

function union(...lists: readonly (readonly string[])[]): readonly string[] {
  return sorted(new Set(lists.flat()), compareStrings);
}
