import type { ClusterPropagationPolicy } from '../../api/cluster-propagation-policy.js';
import type { KubeObject } from '../../api/object.js';
import type { PropagationPolicy } from '../../api/propagation-policy.js';
import { compareBy, compareStrings, inOrder } from '../compare.js';
import type { PolicyRef } from '../plan.js';

/** A policy of either scope. Where the two differ, `kind` tells. */
export type Policy = PropagationPolicy | ClusterPropagationPolicy;

/** A document whose schema was checked before, as a policy. */
export function asPolicy(object: KubeObject): Policy {
  // The step before has compared the document with its schema; `KubeObject` only forgets what it found.
  return object as unknown as Policy;
}

export function policyRef(policy: Policy): PolicyRef {
  const { kind, metadata } = policy;
  const { name = '', namespace } = metadata;
  if (kind === 'ClusterPropagationPolicy') return { kind, name };
  return { kind, namespace: namespace ?? '', name };
}

/** A map key for a policy: `PropagationPolicy/shop/web`. */
export function policyKey(ref: PolicyRef): string {
  return `${ref.kind}/${ref.namespace ?? ''}/${ref.name}`;
}

/** For people: `PropagationPolicy shop/web`. */
export function describePolicy(ref: PolicyRef): string {
  return ref.namespace === undefined
    ? `${ref.kind} ${ref.name}`
    : `${ref.kind} ${ref.namespace}/${ref.name}`;
}

export const comparePolicyRefs = inOrder<PolicyRef>(
  compareBy((ref) => ref.kind),
  compareBy((ref) => ref.namespace ?? ''),
  (a, b) => compareStrings(a.name, b.name),
);

/** Karmada's explicit priority. */
export function priorityOf(policy: Policy): number {
  return policy.spec.priority ?? 0;
}

/** A policy that is going away matches nothing. */
export function isBeingDeleted(object: Pick<KubeObject, 'metadata'>): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
