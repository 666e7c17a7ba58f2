import type { KubeObject } from '../../api/object.js';
import type { ResourceSelector } from '../../api/resource-selector.js';
import { compareBy, descending, inOrder } from '../compare.js';
import { candidates, indexByPairs, requiredPairs, type PairIndex } from '../label-pairs.js';
import type { LabelPredicate } from '../label-selector.js';
import { compileLabelSelector, findLabelSelectorFault } from '../label-selector.js';
import type { PolicyRef } from '../plan.js';
import { isBeingDeleted, policyKey, policyRef, priorityOf, type Policy } from './policy.js';
import { isSet, type MatchLevel } from './selector.js';

/** A policy that fits a template, and how closely. */
export interface Match {
  readonly policy: Policy;
  readonly level: MatchLevel;
}

/** All policies, arranged so that finding those of one template does not look at the others. */
export interface PolicyIndex {
  readonly policies: ReadonlyMap<string, Policy>;
  readonly buckets: ReadonlyMap<string, Bucket>;
}

/** The selectors of one scope (a namespace, or the whole cluster) for one kind. */
interface Bucket {
  readonly byName: ReadonlyMap<string, readonly Entry[]>;
  /** Selectors without a name, by the labels they require. */
  readonly unnamed: PairIndex<Entry>;
}

interface Entry {
  readonly policy: Policy;
  readonly level: MatchLevel;
  /** Empty: every namespace. */
  readonly namespace: string;
  readonly accepts: LabelPredicate;
  /** `key=value` of labels without which it does not accept. */
  readonly pairs: readonly string[];
}

/**
 * Who wins, most important first: (1) higher explicit priority, (2) closer match, (3) smaller name.
 * Source: scheduling reference §3.3.
 */
const compareMatches = inOrder<Match>(
  descending(compareBy((match) => priorityOf(match.policy))),
  descending(compareBy((match) => match.level)),
  compareBy((match) => match.policy.metadata.name ?? ''),
);

/** Arrange policies by scope, kind, name and label. Their order does not matter. */
export function indexPolicies(policies: readonly Policy[]): PolicyIndex {
  const grouped = new Map<string, { policy: Policy; selector: ResourceSelector }[]>();
  for (const policy of policies) {
    if (isBeingDeleted(policy)) continue;
    const scope = policyRef(policy).namespace ?? '';
    for (const selector of policy.spec.resourceSelectors) {
      push(grouped, bucketKey(scope, selector), { policy, selector });
    }
  }
  const buckets = new Map<string, Bucket>();
  for (const [key, members] of grouped) buckets.set(key, bucketOf(members));
  return { policies: new Map(policies.map((p) => [policyKey(policyRef(p)), p])), buckets };
}

export function tryFindPolicy(index: PolicyIndex, ref: PolicyRef): Policy | undefined {
  return index.policies.get(policyKey(ref));
}

/**
 * The policies that fit a template, the one that should own it first.
 *
 * Scopes are never compared: policies of the template's namespace come before cluster-wide ones, whatever their
 * priorities. Cluster-scoped templates see cluster-wide policies only.
 */
export function matchingPolicies(index: PolicyIndex, template: KubeObject): readonly Match[] {
  const { namespace } = template.metadata;
  const clusterWide = matchesInScope(index, '', template);
  if (!isSet(namespace)) return clusterWide;
  const own = matchesInScope(index, namespace, template);
  return own.length === 0 ? clusterWide : [...own, ...clusterWide];
}

function matchesInScope(index: PolicyIndex, scope: string, template: KubeObject): Match[] {
  const bucket = index.buckets.get(bucketKey(scope, template));
  if (bucket === undefined) return [];
  const { name = '', namespace = '', labels } = template.metadata;
  const levels = new Map<Policy, MatchLevel>();
  const consider = (entry: Entry): void => {
    if (entry.namespace !== '' && entry.namespace !== namespace) return;
    if (entry.level <= (levels.get(entry.policy) ?? 0) || !entry.accepts(labels)) return;
    levels.set(entry.policy, entry.level);
  };
  bucket.byName.get(name)?.forEach(consider);
  candidates(bucket.unnamed, labels).forEach(consider);
  return [...levels].map(([policy, level]) => ({ policy, level })).sort(compareMatches);
}

function bucketOf(members: readonly { policy: Policy; selector: ResourceSelector }[]): Bucket {
  const byName = new Map<string, Entry[]>();
  const unnamed: Entry[] = [];
  for (const { policy, selector } of members) {
    const { name, labelSelector } = selector;
    const base = { policy, namespace: selector.namespace ?? '', accepts: () => true, pairs: [] };
    if (isSet(name)) push(byName, name, { ...base, level: 3 });
    else if (labelSelector === undefined) unnamed.push({ ...base, level: 1 });
    else if (findLabelSelectorFault(labelSelector) === undefined) {
      const accepts = compileLabelSelector(labelSelector);
      unnamed.push({ ...base, level: 2, accepts, pairs: requiredPairs(labelSelector) });
    }
  }
  return { byName, unnamed: indexByPairs(unnamed, (entry) => entry.pairs) };
}

function bucketKey(scope: string, of: { apiVersion: string; kind: string }): string {
  return `${scope}|${of.apiVersion}|${of.kind}`;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
