import type { FleetLock } from '../api/fleet-lock.js';
import { canonicalJson } from './canonical.js';
import { asPolicy, policyKey, policyRef } from './claim/policy.js';
import type { SourcedObject, Tools } from './input.js';

/**
 * Which policies are not what they were when the lock was written. Placements, most of a policy's bytes, stay out: each
 * binding in the lock has the one it was decided under.
 */
export interface PolicyVersions {
  /** First 16 hex digits of a hash of the policy's spec, defaults filled in, without the placement. */
  readonly versionOf: (policy: SourcedObject) => string;
  /** `undefined`: the lock does not know it. */
  readonly hasChanged: (policy: SourcedObject) => boolean | undefined;
}

/** Policies are hashed when first asked for: most plans ask only for those that own something. */
export function versionPolicies(lock: FleetLock, tools: Pick<Tools, 'hash'>): PolicyVersions {
  const known = new Map(lock.policies?.map(({ policy, spec }) => [policyKey(policy), spec]));
  const versions = new Map<SourcedObject, string>();
  const versionOf = (policy: SourcedObject): string => {
    const seen = versions.get(policy);
    if (seen !== undefined) return seen;
    const { placement: _, ...spec } = asPolicy(policy.object).spec;
    const version = tools.hash(canonicalJson(spec)).slice(0, 16);
    versions.set(policy, version);
    return version;
  };
  return {
    versionOf,
    hasChanged: (policy) => {
      const before = known.get(policyKey(policyRef(asPolicy(policy.object))));
      return before === undefined ? undefined : before !== versionOf(policy);
    },
  };
}
