import type { KubeObject } from '../../api/object.js';
import type { PolicyRef } from '../plan.js';
import { matchingPolicies, tryFindPolicy, type PolicyIndex } from './policy-index.js';
import { isBeingDeleted, type Policy } from './policy.js';
import { implicitPriority } from './selector.js';

/** What Karmada does with one template, given who owns it. */
export type Decision =
  /** The policy's fields go to the binding. `isFresh`: it did not own the template before. */
  | { readonly kind: 'apply'; readonly policy: Policy; readonly isFresh: boolean }
  /** The owner no longer selects the template: claim and binding stay as they are. */
  | { readonly kind: 'frozen'; readonly policy: Policy }
  /** The owner is gone: the claim is taken off, and the template is looked at again. */
  | { readonly kind: 'orphaned'; readonly policy: PolicyRef }
  /** The owner is going: nothing happens until it is gone. */
  | { readonly kind: 'deleting'; readonly policy: Policy }
  /** Nothing happens until the override policies that the policy waits for exist. */
  | {
      readonly kind: 'waiting';
      readonly policy: Policy;
      readonly missing: readonly string[];
      readonly isFresh: boolean;
    }
  | { readonly kind: 'unmatched' };

/** Whether an override policy of a scope exists: OverridePolicies of a namespace, or ClusterOverridePolicies. */
export type HasOverride = (scope: PolicyRef['kind'], namespace: string, name: string) => boolean;

/**
 * Who owns a template, by the owner recorded so far.
 *
 * A claim is sticky: an owner that exists keeps the template even if it no longer selects it, and whatever else
 * matches. A policy that waits for override policies blocks those behind it. Source: scheduling reference §3.5.
 */
export function decide(
  index: PolicyIndex,
  template: KubeObject,
  owner: PolicyRef | undefined,
  hasOverride: HasOverride,
): Decision {
  if (owner === undefined) {
    const [best] = matchingPolicies(index, template);
    if (best === undefined) return { kind: 'unmatched' };
    return applyOrWait(best.policy, true, hasOverride);
  }
  const policy = tryFindPolicy(index, owner);
  if (policy === undefined) return { kind: 'orphaned', policy: owner };
  if (isBeingDeleted(policy)) return { kind: 'deleting', policy };
  if (!selects(policy, template)) return { kind: 'frozen', policy };
  return applyOrWait(policy, false, hasOverride);
}

/** Whether a policy selects a template, its scope included. */
export function selects(policy: Policy, template: KubeObject): boolean {
  const isInScope =
    policy.kind === 'ClusterPropagationPolicy' ||
    policy.metadata.namespace === template.metadata.namespace;
  return isInScope && implicitPriority(policy.spec.resourceSelectors, template) > 0;
}

function applyOrWait(policy: Policy, isFresh: boolean, hasOverride: HasOverride): Decision {
  const { kind, metadata, spec } = policy;
  const missing = (spec.dependentOverrides ?? []).filter(
    (name) => !hasOverride(kind, metadata.namespace ?? '', name),
  );
  return missing.length === 0
    ? { kind: 'apply', policy, isFresh }
    : { kind: 'waiting', policy, missing, isFresh };
}
