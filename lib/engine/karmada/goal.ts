import type { ObjectRef } from '../../api/object.js';
import type { PolicyRef } from '../plan.js';

/** One cluster's part of a binding. `replicas` is absent for kinds without. */
export interface Share {
  readonly cluster: string;
  readonly replicas?: number;
}

/** What a policy's field has to go through. */
export interface PolicyGoal {
  readonly policy: PolicyRef;
  /** Clusters to hold before anything changes; sorted. */
  readonly clusters: readonly string[];
  /** Clusters that the document itself suspends: never released. Sorted. */
  readonly suspendedByDocument: readonly string[];
  /** Clusters that all bindings of the policy leave at the end: held until then. Sorted. */
  readonly leaving: readonly string[];
}

/** What one template's binding has to become before and after its clusters are released. */
export interface BindingGoal {
  readonly resource: ObjectRef;
  readonly policy: PolicyRef;
  /** What Karmada must decide; sorted by cluster. */
  readonly shares: readonly Share[];
  /** A dependency: clusters that only its workload names are added to Karmada's answer elsewhere. */
  readonly isFollower?: true;
  /** Clusters of `shares` that are there only until the end: no stage waits for them. */
  readonly leaving: readonly string[];
  /** Of the template as stored by this run; absent before it was written, and for kinds without one. */
  readonly generation?: number;
}

/** One pass over the control plane: grow, or shrink. */
export interface KarmadaGoal {
  /** Identifies the change: what a policy remembers of another change does not count. */
  readonly rollout: string;
  /** Policies whose field is stepped; the others change nothing. */
  readonly policies: readonly PolicyGoal[];
  readonly bindings: readonly BindingGoal[];
}

export function policyKey({ kind, namespace, name }: PolicyRef): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** `PropagationPolicy shop/web`, for people. */
export function describePolicy({ kind, namespace, name }: PolicyRef): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
