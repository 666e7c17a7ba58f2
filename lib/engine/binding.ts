import type { LockedBinding } from '../api/fleet-lock.js';
import type { ResourceBindingSpec, TargetCluster } from '../api/resource-binding.js';
import type { SourcedObject } from './input.js';
import type { KubeObject, ObjectRef } from './object.js';
import type { PlannedBinding, PolicyRef, Verdict } from './plan.js';
import type { SpreadDebt, SpreadLack } from './schedule/index.js';
import type { Eviction } from './failover/index.js';
import type { Explanation } from './schedule/explanation.js';
import type { TemplateVersion } from './generation.js';
import type { Taker } from './takers.js';

/** A template with the policy that owns it, ready to schedule. */
export interface ClaimedBinding {
  readonly key: string;
  readonly resource: ObjectRef;
  readonly template: SourcedObject;
  readonly policy: PolicyRef;
  readonly policyDocument: SourcedObject;
  readonly shadowed: readonly PolicyRef[];
  /** Karmada's binding name. */
  readonly name: string;
  /** `spec.clusters` is the lock's assignment. */
  readonly spec: ResourceBindingSpec;
  /** Why this policy owns it, one clause. */
  readonly why: string;
  readonly locked?: LockedBinding;
}

/** A template with its clusters, whoever decided them: its policy, or the objects it follows. */
export interface PlacedBinding {
  readonly key: string;
  readonly resource: ObjectRef;
  readonly template: SourcedObject;
  readonly policy: PolicyRef | null;
  readonly policyDocument?: SourcedObject;
  readonly shadowed: readonly PolicyRef[];
  readonly why: string;
  readonly follows: PlannedBinding['follows'];
  /** Absent for followers. */
  readonly spec?: ResourceBindingSpec;
  readonly locked?: LockedBinding;
  /** What a soft spread wants and the fleet does not have. */
  readonly debts?: readonly SpreadDebt[];
  /** Clusters it goes to only because others need it there; among `clusters`, without replicas. */
  readonly followed?: readonly string[];
  /** For followers: what those that they follow want. */
  readonly conflictResolution?: 'Abort' | 'Overwrite';
  readonly preserveResourcesOnDeletion?: boolean;
  /** Sorted by name; `replicas` absent for kinds without. */
  readonly clusters: readonly TargetCluster[];
  readonly affinity?: string;
  readonly decision: PlannedBinding['decision'];
  /** Made when first asked for: a plan of a thousand bindings shows the verdicts of few. */
  readonly verdicts: () => readonly Verdict[];
  readonly version: TemplateVersion;
  /** The numbers behind the decision, where asked for. */
  readonly explanation?: Explanation;
  /** Not placed because a spread constraint cannot be met; room has nothing to do with it. */
  readonly isSpreadUnmet?: true;
  /** With `isSpreadUnmet`: the groups asked for and those there are. */
  readonly spreadLack?: SpreadLack;
  /** Not placed for want of room: who took it in this plan. Made when first asked for. */
  readonly takenBy?: () => readonly Taker[];
  /** Kept, and its numbers are asked for: what a fresh decision would give. */
  readonly fresh?: PlannedBinding['fresh'];
  /** Clusters it has to leave because of a NoExecute taint, now or later. */
  readonly leaving?: readonly Eviction[];
  readonly pending?: readonly Eviction[];
}

/** The tie seed: a UID given in the input, else the lock's, else one derived from the identity. */
export function seedOf(
  template: KubeObject,
  key: string,
  locked: LockedBinding | undefined,
  hash: (text: string) => string,
): string {
  return template.metadata.uid ?? locked?.seed ?? hash(key).slice(0, 16);
}

/** Every cluster the lock has it on: where its policy put it, and where it followed others. */
export function lockedClusters(locked: LockedBinding): readonly string[] {
  return [...Object.keys(locked.clusters), ...(locked.followed ?? [])].sort();
}

/** Clusters that the lock has it on and the plan has not, sorted; all of them when it is not placed at all. */
export function clustersLeft(
  locked: LockedBinding,
  placed: Pick<PlacedBinding, 'clusters'> | undefined,
): readonly string[] {
  const before = Object.keys(locked.clusters);
  const { followed = [] } = locked;
  // Most have what they had: both lists are sorted.
  if (
    followed.length === 0 &&
    placed?.clusters.length === before.length &&
    placed.clusters.every(({ name }, i) => name === before[i])
  )
    return [];
  const now = new Set(placed?.clusters.map(({ name }) => name));
  const left = before.filter((name) => !now.has(name));
  for (const name of followed) if (!now.has(name)) left.push(name);
  return left.sort();
}

/** Whether the lock has it on a cluster. */
export function wasOn(locked: LockedBinding | undefined, cluster: string): boolean {
  return (
    locked !== undefined &&
    (Object.hasOwn(locked.clusters, cluster) || locked.followed?.includes(cluster) === true)
  );
}
