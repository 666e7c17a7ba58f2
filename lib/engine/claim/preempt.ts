import type { KubeObject } from '../../api/object.js';
import { compareBy, descending, inOrder, sorted } from '../compare.js';
import { claimOn, withClaim } from './marks.js';
import { matchingPolicies, tryFindPolicy, type PolicyIndex } from './policy-index.js';
import { policyKey, policyRef, priorityOf, type Policy } from './policy.js';
import { isSet } from './selector.js';

/**
 * Whether a policy takes a template from the one that owns it.
 *
 * Explicit priority alone counts, and it must be strictly higher; a namespaced policy takes from a cluster-wide one
 * unconditionally, never the other way round. The feature gate is the caller's. Source: scheduling reference §3.6.
 */
export function preempts(preemptor: Policy, incumbent: Policy): boolean {
  if (preemptor.spec.preemption !== 'Always') return false;
  if (preemptor.kind !== incumbent.kind) return preemptor.kind === 'PropagationPolicy';
  return priorityOf(preemptor) > priorityOf(incumbent);
}

/**
 * Who owns a template after every policy that may preempt has done so.
 *
 * Only policies that name the template take part. In Karmada they act one after another, when they are created or
 * changed; whoever comes first, the one with the highest priority stays. Ties go to the smaller name.
 */
export function afterPreemption(
  index: PolicyIndex,
  template: KubeObject,
  incumbent: Policy,
): Policy {
  const naming = matchingPolicies(index, template)
    .map(({ policy }) => policy)
    .filter((policy) => namesTemplate(policy, template));
  // The list has the strongest first, so the first to take the template is the last to own it.
  return naming.find((policy) => preempts(policy, incumbent)) ?? incumbent;
}

const strongestFirst = inOrder<Policy>(
  descending(compareBy(priorityOf)),
  compareBy((policy) => policy.metadata.name ?? ''),
);

/**
 * The policies that get a chance to preempt because another one's explicit priority was lowered: those of the same
 * scope whose own lies strictly between the new and the old one. Highest priority first, then by name.
 */
export function unblockedByLowering(
  policies: readonly Policy[],
  lowered: Policy,
  oldPriority: number,
  newPriority: number,
): readonly Policy[] {
  const scope = policyRef(lowered).namespace;
  const unblocked = policies.filter((policy) => {
    const { kind, spec } = policy;
    if (kind !== lowered.kind || policyRef(policy).namespace !== scope) return false;
    if (spec.preemption !== 'Always' || spec.priority === undefined) return false;
    return spec.priority > newPriority && spec.priority < oldPriority;
  });
  return sorted(unblocked, strongestFirst);
}

/**
 * One policy being handled for preemption by a control plane: the template afterwards.
 *
 * Nothing happens unless the policy names the template and some other policy owns it. The owner must exist, unless its
 * priority does not matter.
 */
export function preempt(
  index: PolicyIndex,
  template: KubeObject,
  preemptor: Policy,
): { readonly template: KubeObject; readonly error?: string } {
  const owner = claimOn(template);
  if (owner === undefined || preemptor.spec.preemption !== 'Always') return { template };
  if (policyKey(owner) === policyKey(policyRef(preemptor))) return { template };
  if (!namesTemplate(preemptor, template)) return { template };
  const taken = { template: withClaim(template, preemptor) };
  if (owner.kind !== preemptor.kind)
    return preemptor.kind === 'PropagationPolicy' ? taken : { template };
  const incumbent = tryFindPolicy(index, owner);
  if (incumbent === undefined) {
    const resource = `${owner.kind.toLowerCase().replace(/y$/, 'ies')}.policy.karmada.io`;
    return { template, error: `${resource} "${owner.name}" not found` };
  }
  return preempts(preemptor, incumbent) ? taken : { template };
}

/**
 * Whether one of the policy's selectors names this very template; only such policies can preempt.
 * A cluster-wide policy has to give the namespace as well, since Karmada fetches what the selector says.
 */
export function namesTemplate(policy: Policy, template: KubeObject): boolean {
  const { namespace = '', name = '' } = template.metadata;
  return policy.spec.resourceSelectors.some((selector) => {
    if (selector.apiVersion !== template.apiVersion || selector.kind !== template.kind)
      return false;
    return (
      isSet(selector.name) && selector.name === name && (selector.namespace ?? '') === namespace
    );
  });
}
