import type { Cluster } from '../../api/cluster.js';
import type { ClusterOverridePolicy } from '../../api/cluster-override-policy.js';
import type { KubeObject } from '../../api/object.js';
import type { OverridePolicy } from '../../api/override-policy.js';
import { textAt } from '../interpret/field.js';
import type { ClusterFacts } from '../schedule/cluster-facts.js';
import { factsOf } from '../schedule/cluster-facts.js';
import { applyRules } from './apply-rules.js';
import type { DocumentTools } from './overriders/field.js';
import type { CompiledPolicy, PolicyIndex } from './policy-index.js';
import { findPolicies, indexPolicies } from './policy-index.js';
import type { CompiledRule, OverrideRule } from './rule.js';

export interface OverrideTools extends DocumentTools {
  readonly hash: (text: string) => string;
}

/** The two lists, in any order. */
export interface OverridePolicies {
  readonly clusterOverridePolicies?: readonly ClusterOverridePolicy[];
  readonly overridePolicies?: readonly OverridePolicy[];
}

/** The rules that apply to one object on one cluster, in the order they are applied. Shared by all clusters where it is the same. */
export interface OverrideSet {
  /**
   * Hash of the rules' content that may stand in a committed file; empty when no rule applies. For a Secret without the
   * values that rules put into it, since short secrets can be guessed from a hash.
   */
  readonly key: string;
  /** Hash of all of the content: equal identities edit alike. Never to be written anywhere. */
  readonly identity: string;
  readonly rules: readonly OverrideRule[];
}

/** The override rules of one object: ask for each cluster. */
export type ObjectOverrides = (cluster: Cluster) => OverrideSet;

/** All override policies of a plan, ready to be asked about objects. */
export type CompiledOverrides = (object: KubeObject) => ObjectOverrides;

/**
 * Prepare override policies for many questions of the form "which rules apply to this object on this cluster?".
 *
 * ClusterOverridePolicies come first, then the OverridePolicies of the object's namespace; in each group by precision of
 * the selector (all, label, name), then by policy name, so that the most precise has the last word. The second group is
 * matched against the object as the first left it. A rule without `targetCluster` applies everywhere; policies without
 * rules act by their deprecated fields. Source: lifecycle reference §7.1.
 */
export function compileOverrides(
  policies: OverridePolicies,
  tools: OverrideTools,
): CompiledOverrides {
  const clusterGroup = indexPolicies(policies.clusterOverridePolicies ?? [], tools.hash);
  const namespaceGroup = indexPolicies(policies.overridePolicies ?? [], tools.hash);
  const intern = setInterner(tools);
  const facts = factsCache();
  const rulesOf = ruleFinder();
  if (clusterGroup.size === 0 && namespaceGroup.size === 0) return () => () => NONE;

  return (object) => {
    const isSecret = object.kind === 'Secret' && object.apiVersion === 'v1';
    const first = rulesOf(findPolicies(clusterGroup, object, ''));
    const second = new Map<string, RulesOn>();
    const secondFor = (rules: readonly CompiledRule[], id: string): RulesOn => {
      const known = second.get(id);
      if (known !== undefined) return known;
      const found = rulesOf(findNamespacePolicies(namespaceGroup, object, rules, tools));
      second.set(id, found);
      return found;
    };
    return (cluster) => {
      const seen = facts(cluster);
      const rules = first(seen);
      const all = [...rules, ...secondFor(rules, idOf(rules))(seen)];
      return intern(all, isSecret);
    };
  };
}

function findNamespacePolicies(
  index: PolicyIndex,
  object: KubeObject,
  clusterRules: readonly CompiledRule[],
  tools: OverrideTools,
): readonly CompiledPolicy[] {
  if (index.size === 0) return [];
  const entering = applyRules(object, clusterRules, tools);
  // The fault comes up again, and is reported, when the rules are applied.
  if (!entering.ok) return [];
  // Rules may have left no metadata, which is reported where they are applied.
  const namespace = textAt(entering.value, 'metadata', 'namespace');
  return namespace === '' ? [] : findPolicies(index, entering.value, namespace);
}

/** The rules of some policies that apply on a cluster. */
type RulesOn = (cluster: ClusterFacts) => readonly CompiledRule[];

/** Up to so many policies are asked faster than their answers are looked up, and so not worth their memory. */
const FEW = 8;

/** Where many policies select many objects (one for each cluster, say) they are asked once a cluster, not once an object. */
function ruleFinder(): (policies: readonly CompiledPolicy[]) => RulesOn {
  const finders = new Map<string, RulesOn>();
  const ids = new Map<CompiledPolicy, number>();
  const idOfPolicy = (policy: CompiledPolicy): number => {
    const id = ids.get(policy) ?? ids.size;
    ids.set(policy, id);
    return id;
  };
  return (policies) => {
    const ask: RulesOn = (cluster) =>
      policies.flatMap(({ rules }) => rules.filter(({ matches }) => matches(cluster)));
    if (policies.length <= FEW) return ask;
    const id = policies.map(idOfPolicy).join();
    const found = finders.get(id) ?? remembering(ask);
    finders.set(id, found);
    return found;
  };
}

function remembering(ask: RulesOn): RulesOn {
  const known = new Map<ClusterFacts, readonly CompiledRule[]>();
  return (cluster) => {
    const rules = known.get(cluster) ?? ask(cluster);
    known.set(cluster, rules);
    return rules;
  };
}

function idOf(rules: readonly CompiledRule[]): string {
  return rules
    .map(
      ({ policy, position }) =>
        `${policy.kind}/${policy.namespace ?? ''}/${policy.name}/${position}`,
    )
    .join('\n');
}

type Intern = (rules: readonly CompiledRule[], isSecret: boolean) => OverrideSet;

const NONE: OverrideSet = { key: '', identity: '', rules: [] };

function setInterner(tools: OverrideTools): Intern {
  const sets = new Map<string, OverrideSet>();
  const hashOf = (hashes: readonly string[]): string => tools.hash(hashes.join('\n')).slice(0, 16);
  return (rules, isSecret) => {
    if (rules.length === 0) return NONE;
    const id = `${isSecret}\n${idOf(rules)}`;
    const known = sets.get(id);
    if (known !== undefined) return known;
    const identity = hashOf(rules.map(({ hash }) => hash));
    const key = isSecret ? hashOf(rules.map(({ valuelessHash }) => valuelessHash)) : identity;
    const set = { key, identity, rules };
    sets.set(id, set);
    return set;
  };
}

function factsCache(): (cluster: Cluster) => ClusterFacts {
  const known = new Map<Cluster, ClusterFacts>();
  return (cluster) => {
    const facts = known.get(cluster) ?? factsOf(cluster, known.size);
    known.set(cluster, facts);
    return facts;
  };
}
