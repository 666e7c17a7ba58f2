import type { KubeObject } from '../../api/object.js';
import { compareBy, descending, inOrder, sorted } from '../compare.js';
import type { PolicyRef } from '../plan.js';
import { matchingPolicies, tryFindPolicy, type PolicyIndex } from './policy-index.js';
import { policyKey, policyRef, priorityOf, type Policy } from './policy.js';
import { isSet } from './selector.js';

/** What comes of a policy being handled for preemption of one template. */
export type Preemption = 'takes-over' | 'stays' | 'owner-missing';

/**
 * Whether a policy takes a template from the one that owns it.
 *
 * It has to say `preemption: Always` and name the template. Explicit priority alone counts, and it must be strictly
 * higher; a namespaced policy takes from a cluster-wide one unconditionally, never the other way round. An owner whose
 * priority matters has to exist. The feature gate is the caller's. Source: scheduling reference §3.6.
 */
export function preemptionBy(
  preemptor: Policy,
  template: KubeObject,
  owner: PolicyRef,
  index: PolicyIndex,
): Preemption {
  if (preemptor.spec.preemption !== 'Always' || !namesTemplate(preemptor, template)) return 'stays';
  if (policyKey(owner) === policyKey(policyRef(preemptor))) return 'stays';
  if (owner.kind !== preemptor.kind) {
    return preemptor.kind === 'PropagationPolicy' ? 'takes-over' : 'stays';
  }
  const incumbent = tryFindPolicy(index, owner);
  if (incumbent === undefined) return 'owner-missing';
  return isBetween(preemptor, priorityOf(incumbent)) ? 'takes-over' : 'stays';
}

/**
 * Who owns a template after every policy that may preempt has done so.
 *
 * In Karmada they act one after another, when they are created or changed; whoever comes first, the one with the
 * highest priority stays. Ties go to the smaller name.
 */
export function afterPreemption(
  index: PolicyIndex,
  template: KubeObject,
  owner: PolicyRef,
): PolicyRef {
  // The strongest comes first, so the first to take the template is the last to own it.
  const taker = matchingPolicies(index, template).find(
    ({ policy }) => preemptionBy(policy, template, owner, index) === 'takes-over',
  );
  return taker === undefined ? owner : policyRef(taker.policy);
}

const strongestFirst = inOrder<Policy>(
  descending(compareBy(priorityOf)),
  compareBy((policy) => policy.metadata.name ?? ''),
);

/**
 * The policies that get a chance to preempt because another one's explicit priority was lowered: those of the same
 * scope whose own, which has to be written out, lies strictly between the new and the old one. Highest priority first,
 * then by name.
 */
export function unblockedByLowering(
  policies: readonly Policy[],
  lowered: Policy,
  oldPriority: number,
  newPriority: number,
): readonly Policy[] {
  const scope = policyRef(lowered).namespace;
  const unblocked = policies.filter(
    (policy) =>
      policy.kind === lowered.kind &&
      policyRef(policy).namespace === scope &&
      policy.spec.preemption === 'Always' &&
      policy.spec.priority !== undefined &&
      isBetween(policy, newPriority, oldPriority),
  );
  return sorted(unblocked, strongestFirst);
}

/** Explicit priority strictly above one bound and strictly below the other. */
function isBetween(policy: Policy, above: number, below = Infinity): boolean {
  return priorityOf(policy) > above && priorityOf(policy) < below;
}

/**
 * Whether one of the policy's selectors names this very template; only such policies can preempt.
 * A cluster-wide policy has to give the namespace as well, since Karmada fetches what the selector says.
 */
function namesTemplate(policy: Policy, template: KubeObject): boolean {
  const { namespace = '', name = '' } = template.metadata;
  return policy.spec.resourceSelectors.some(
    (selector) =>
      selector.apiVersion === template.apiVersion &&
      selector.kind === template.kind &&
      isSet(selector.name) &&
      selector.name === name &&
      (selector.namespace ?? '') === namespace,
  );
}
