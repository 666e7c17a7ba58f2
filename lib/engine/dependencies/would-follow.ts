import type { ObjectRef } from '../../api/object.js';
import { asPolicy } from '../claim/policy.js';
import { compareBy, sorted } from '../compare.js';
import { refKey, refOf } from '../object.js';
import type { FollowInput } from './follow.js';
import { indexTemplates, resolve } from './template-index.js';

/** Who refers to a template, and the policy that does not let it follow. */
export interface Unfollowed {
  readonly leader: ObjectRef;
  readonly policy: ObjectRef;
}

/**
 * By key, the templates that would follow if a policy had `propagateDeps`, each with the first leader by key that refers to it.
 *
 * Empty where that is not the reason: in profile `default` dependencies follow always, and with the gate off never.
 */
export function findWouldFollow(input: FollowInput): ReadonlyMap<string, Unfollowed> {
  const found = new Map<string, Unfollowed>();
  if (input.profile === 'default' || !input.gates.PropagateDeps) return found;
  const index = indexTemplates(input.templates);
  const leaders = sorted(
    input.leaders,
    compareBy((leader) => leader.key),
  );
  for (const { template, resource, policyDocument, clusters } of leaders) {
    const { propagateDeps } = asPolicy(policyDocument.object).spec;
    if (propagateDeps === true || resource.namespace === undefined || clusters.length === 0)
      continue;
    for (const reference of input.references(template)) {
      for (const { object } of resolve(index, reference)) {
        const key = refKey(refOf(object));
        if (!found.has(key))
          found.set(key, { leader: resource, policy: refOf(policyDocument.object) });
      }
    }
  }
  return found;
}
