import type { KubeObject } from '../../api/object.js';
import type { ResourceSelector } from '../../api/resource-selector.js';
import { compareBy, descending, inOrder } from '../compare.js';
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
  /** Under one `key=value` that the selector requires; the rarest of them. */
  readonly byLabel: ReadonlyMap<string, readonly Entry[]>;
  readonly others: readonly Entry[];
}

interface Entry {
  readonly policy: Policy;
  readonly level: MatchLevel;
  /** Empty: every namespace. */
  readonly namespace: string;
  readonly accepts: LabelPredicate;
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
  const { name = '', namespace = '', labels = {} } = template.metadata;
  const levels = new Map<Policy, MatchLevel>();
  const consider = (entry: Entry): void => {
    if (entry.namespace !== '' && entry.namespace !== namespace) return;
    if (entry.level <= (levels.get(entry.policy) ?? 0) || !entry.accepts(labels)) return;
    levels.set(entry.policy, entry.level);
  };
  bucket.byName.get(name)?.forEach(consider);
  bucket.others.forEach(consider);
  if (bucket.byLabel.size > 0) {
    for (const [key, value] of Object.entries(labels)) {
      bucket.byLabel.get(pair(key, value))?.forEach(consider);
    }
  }
  return [...levels].map(([policy, level]) => ({ policy, level })).sort(compareMatches);
}

function bucketOf(members: readonly { policy: Policy; selector: ResourceSelector }[]): Bucket {
  const byName = new Map<string, Entry[]>();
  const byLabel = new Map<string, Entry[]>();
  const others: Entry[] = [];
  const frequency = new Map<string, number>();
  for (const { selector } of members) {
    for (const key of requiredPairs(selector)) frequency.set(key, (frequency.get(key) ?? 0) + 1);
  }
  const rarest = compareBy<string, number>((key) => frequency.get(key) ?? 0);
  for (const { policy, selector } of members) {
    const base = { policy, namespace: selector.namespace ?? '' };
    const { name, labelSelector } = selector;
    if (isSet(name)) push(byName, name, { ...base, level: 3, accepts: () => true });
    else if (labelSelector === undefined) others.push({ ...base, level: 1, accepts: () => true });
    else if (findLabelSelectorFault(labelSelector) === undefined) {
      const entry: Entry = { ...base, level: 2, accepts: compileLabelSelector(labelSelector) };
      const [key] = requiredPairs(selector).sort(rarest);
      if (key === undefined) others.push(entry);
      else push(byLabel, key, entry);
    }
  }
  return { byName, byLabel, others };
}

/** `key=value` pairs of which a template must have every one. */
function requiredPairs(selector: ResourceSelector): string[] {
  const { matchLabels = {}, matchExpressions = [] } = selector.labelSelector ?? {};
  const single = matchExpressions.flatMap(({ key, operator, values = [] }) =>
    operator === 'In' && values.length === 1 ? values.map((value) => pair(key, value)) : [],
  );
  return [...Object.entries(matchLabels).map(([key, value]) => pair(key, value)), ...single];
}

function pair(key: string, value: string): string {
  return `${key}=${value}`;
}

function bucketKey(scope: string, of: { apiVersion: string; kind: string }): string {
  return `${scope}|${of.apiVersion}|${of.kind}`;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
