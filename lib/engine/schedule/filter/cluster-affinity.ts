import type { ClusterAffinity } from '../../../api/placement.js';
import { compileAffinity } from '../affinity.js';
import type { ClusterFacts } from '../cluster-facts.js';
import { tryFindTerm } from '../placement.js';
import type { Subject } from '../subject.js';
import type { Filter } from './filter.js';

/**
 * The cluster must match the cluster affinity, or the term being tried, or for workloads one of the term's overflow
 * affinities. Being bound does not exempt. Source: scheduling reference §7.3.
 */
export const clusterAffinity: Filter = {
  name: 'ClusterAffinity',
  reject: (subject, cluster) =>
    matches(subject, cluster)
      ? undefined
      : 'cluster(s) did not match the placement cluster affinity constraint',
  explain: ({ placement, affinityName }, cluster) => {
    const { clusterAffinity: single, clusterAffinities } = placement.placement;
    const affinity =
      single ?? clusterAffinities?.find((term) => term.affinityName === affinityName);
    const where = single === undefined ? `affinity "${affinityName}"` : 'the cluster affinity';
    return `does not match ${where}: ${mismatch(affinity ?? {}, cluster)}`;
  },
};

function matches({ placement, affinityName, isWorkload }: Subject, cluster: ClusterFacts): boolean {
  if (placement.affinity !== undefined) return placement.affinity(cluster);
  const term = tryFindTerm(placement, affinityName);
  if (term === undefined || term.matches(cluster)) return true;
  return isWorkload && (term.overflow ?? []).some((overflow) => overflow(cluster));
}

/** The first part that does not match, with the values seen. */
function mismatch(affinity: ClusterAffinity, cluster: ClusterFacts): string {
  const { exclude = [], labelSelector, fieldSelector, clusterNames = [] } = affinity;
  if (exclude.includes(cluster.name)) return 'it is excluded by name';
  for (const [key, value] of Object.entries(labelSelector?.matchLabels ?? {})) {
    if (cluster.labels[key] !== value)
      return `label ${key} is ${seen(cluster.labels[key])}, not "${value}"`;
  }
  for (const expression of labelSelector?.matchExpressions ?? []) {
    if (!compileAffinity({ labelSelector: { matchExpressions: [expression] } })(cluster))
      return `label ${expression.key} is ${seen(cluster.labels[expression.key])}, ${wanted(expression)}`;
  }
  for (const expression of fieldSelector?.matchExpressions ?? []) {
    if (!compileAffinity({ fieldSelector: { matchExpressions: [expression] } })(cluster))
      return `${expression.key} is ${seen(fieldOf(cluster, expression.key))}, ${wanted(expression)}`;
  }
  return clusterNames.length > 0 && !clusterNames.includes(cluster.name)
    ? 'it is not among the cluster names'
    : 'its selector is malformed';
}

function fieldOf(cluster: ClusterFacts, key: string): string | undefined {
  return key === 'zone' ? cluster.zones.join(', ') || undefined : cluster.fields[key];
}

function seen(value: string | undefined): string {
  return value === undefined ? 'absent' : `"${value}"`;
}

function wanted(expression: {
  readonly operator: string;
  readonly values?: readonly string[];
}): string {
  const { operator, values = [] } = expression;
  return `wanted ${operator}${values.length === 0 ? '' : ` (${values.join(', ')})`}`;
}
