import type { Cluster } from '../../api/cluster.js';
import type { KubeObject } from '../../api/object.js';
import type { RuleFault } from './apply-rules.js';
import { applyRules } from './apply-rules.js';
import type { OverridePolicies, OverrideTools } from './compile.js';
import { compileOverrides } from './compile.js';
import type { AppliedOverride } from './record.js';
import { appliedOf } from './record.js';
import type { OverrideRule } from './rule.js';

export type OverrideOutcome =
  | {
      readonly ok: true;
      readonly object: KubeObject;
      readonly appliedClusterOverrides: readonly AppliedOverride[];
      readonly appliedOverrides: readonly AppliedOverride[];
    }
  | { readonly ok: false; readonly fault: RuleFault<OverrideRule> };

/**
 * The object as one cluster gets it: every override policy that matches, in Karmada's order.
 *
 * The first edit that cannot be made fails it all; nothing is then to be sent to this cluster. The records list one entry
 * per rule, sorted by policy name. For many objects use {@link compileOverrides}.
 *
 * @example applyOverrides(web, cluster, { overridePolicies: [mirror] }, tools)
 */
export function applyOverrides(
  object: KubeObject,
  cluster: Cluster,
  policies: OverridePolicies,
  tools: OverrideTools,
): OverrideOutcome {
  const { rules } = compileOverrides(policies, tools)(object)(cluster);
  const result = applyRules(object, rules, tools);
  if (!result.ok) return result;
  return {
    ok: true,
    object: result.value,
    appliedClusterOverrides: appliedOf(rules, 'ClusterOverridePolicy'),
    appliedOverrides: appliedOf(rules, 'OverridePolicy'),
  };
}
