import type { KubeObject, ObjectRef } from '../../api/object.js';
import { compareStrings, sorted } from '../../engine/compare.js';
import type {
  BindingGoal,
  ControlPlaneView,
  PolicyGoal,
  Share,
} from '../../engine/karmada/index.js';
import { policyKey } from '../../engine/karmada/index.js';
import { refKey } from '../../engine/object.js';
import type { PlannedBinding, PolicyRef } from '../../engine/plan.js';
import { suspendedIn } from './writes.js';

/** A binding of the plan that a policy places. */
export type Placed = PlannedBinding & {
  readonly policy: PolicyRef;
  /** A dependency that is held: other clusters may need it too, and Karmada sends it there whatever the policy says. */
  readonly isFollower?: true;
};

/** Shares by `refKey` of the template, where something is widened before it shrinks. */
type GrownShares = ReadonlyMap<string, readonly Share[]>;

export function policyGoal(
  { policy, bindings }: { readonly policy: PolicyRef; readonly bindings: readonly Placed[] },
  policies: ReadonlyMap<string, KubeObject>,
  view: ControlPlaneView,
  grown: GrownShares,
): PolicyGoal {
  const planned = new Set(
    bindings.flatMap(({ assignments }) => assignments.map(({ cluster }) => cluster)),
  );
  const clusters = new Set([
    ...planned,
    ...bindings.flatMap(({ resource }) =>
      [...currentOf(resource, view), ...(grown.get(refKey(resource)) ?? [])].map(
        ({ cluster }) => cluster,
      ),
    ),
  ]);
  const document = policies.get(policyKey(policy));
  return {
    policy,
    clusters: sorted(clusters, compareStrings),
    suspendedByDocument: document === undefined ? [] : suspendedIn(document),
    leaving: sorted(clusters, compareStrings).filter((cluster) => !planned.has(cluster)),
  };
}

export function growGoal(binding: Placed, grown: GrownShares): BindingGoal {
  const planned = new Set(binding.assignments.map(({ cluster }) => cluster));
  const shares = grown.get(refKey(binding.resource)) ?? sharesOf(binding);
  return {
    resource: binding.resource,
    policy: binding.policy,
    ...(binding.isFollower === true && { isFollower: true }),
    shares,
    leaving: shares.map(({ cluster }) => cluster).filter((cluster) => !planned.has(cluster)),
  };
}

export function finalGoal(binding: Placed): BindingGoal {
  const { resource, policy, isFollower } = binding;
  return {
    resource,
    policy,
    ...(isFollower === true && { isFollower }),
    shares: sharesOf(binding),
    leaving: [],
  };
}

export function sharesOf({ assignments }: PlannedBinding): readonly Share[] {
  return assignments
    .filter(({ replicas }) => replicas !== 0)
    .map(({ cluster, replicas }) => ({ cluster, ...(replicas !== undefined && { replicas }) }));
}

export function currentOf(resource: ObjectRef, view: ControlPlaneView): readonly Share[] {
  return view.bindings.get(refKey(resource))?.shares ?? [];
}

/** Whether the document suspends other clusters than it did when we last wrote it. */
export function listChanged(
  document: KubeObject | undefined,
  view: ControlPlaneView,
  policy: PolicyRef,
): boolean {
  const live = view.policies.get(policyKey(policy));
  const wanted = document === undefined ? [] : suspendedIn(document);
  const before = live?.memory?.document ?? [];
  const isThere = (cluster: string): boolean => live?.suspended.includes(cluster) === true;
  return (
    wanted.some((cluster) => !isThere(cluster)) ||
    before.some((cluster) => !wanted.includes(cluster))
  );
}

export function groupByPolicy(
  placed: readonly Placed[],
): readonly { readonly policy: PolicyRef; readonly bindings: readonly Placed[] }[] {
  const groups = new Map<string, { policy: PolicyRef; bindings: Placed[] }>();
  for (const binding of placed) {
    const key = policyKey(binding.policy);
    const group = groups.get(key) ?? { policy: binding.policy, bindings: [] };
    group.bindings.push(binding);
    groups.set(key, group);
  }
  return sorted(groups.keys(), compareStrings).flatMap((key) => groups.get(key) ?? []);
}
