import type { ClusterAffinity } from '../../../api/placement.js';
import { compileAffinity, type ClusterPredicate } from '../affinity.js';
import type { ClusterFacts } from '../cluster-facts.js';
import { tryFindTerm } from '../placement.js';
import type { Subject } from '../subject.js';
import type { Filter } from './filter.js';
import { own } from '../../own.js';

/** A list of a hundred is not read, and every verdict would carry it. */
const VALUES_SHOWN = 5;

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
    const { mismatches } = placement.memo;
    const known = mismatches.get(affinityName) ?? compileMismatch(placement, affinityName);
    mismatches.set(affinityName, known);
    return known(cluster);
  },
};

function matches({ placement, affinityName, isWorkload }: Subject, cluster: ClusterFacts): boolean {
  if (placement.affinity !== undefined) return placement.affinity(cluster);
  const term = tryFindTerm(placement, affinityName);
  if (term === undefined || term.matches(cluster)) return true;
  return isWorkload && (term.overflow ?? []).some((overflow) => overflow(cluster));
}

interface Part {
  readonly matches: ClusterPredicate;
  readonly describe: (cluster: ClusterFacts) => string;
}

/** Ready to say of many clusters which part of the affinity is the first that does not match, with the values seen. */
function compileMismatch(
  { placement }: Subject['placement'],
  affinityName: string,
): (cluster: ClusterFacts) => string {
  const { clusterAffinity: single, clusterAffinities } = placement;
  const term = clusterAffinities?.find((one) => one.affinityName === affinityName);
  const where = single === undefined ? `affinity "${affinityName}"` : 'the cluster affinity';
  const parts = partsOf(single ?? term ?? {});
  return (cluster) => {
    const part = parts.find(({ matches }) => !matches(cluster));
    const what = part === undefined ? 'its selector is malformed' : part.describe(cluster);
    return `does not match ${where}: ${what}`;
  };
}

function partsOf(affinity: ClusterAffinity): readonly Part[] {
  const { exclude = [], labelSelector, fieldSelector, clusterNames = [] } = affinity;
  const excluded = new Set(exclude);
  const named = new Set(clusterNames);
  return [
    { matches: ({ name }) => !excluded.has(name), describe: () => 'it is excluded by name' },
    ...Object.entries(labelSelector?.matchLabels ?? {}).map(([key, value]): Part => ({
      matches: ({ labels }) => own(labels, key) === value,
      describe: ({ labels }) => `label ${key} is ${seen(own(labels, key))}, not "${value}"`,
    })),
    ...(labelSelector?.matchExpressions ?? []).map((expression): Part => {
      const text = wanted(expression);
      return {
        matches: compileAffinity({ labelSelector: { matchExpressions: [expression] } }),
        describe: ({ labels }) =>
          `label ${expression.key} is ${seen(own(labels, expression.key))}, ${text}`,
      };
    }),
    ...(fieldSelector?.matchExpressions ?? []).map((expression): Part => {
      const text = wanted(expression);
      return {
        matches: compileAffinity({ fieldSelector: { matchExpressions: [expression] } }),
        describe: (cluster) =>
          `${expression.key} is ${seen(fieldOf(cluster, expression.key))}, ${text}`,
      };
    }),
    {
      matches: ({ name }) => named.size === 0 || named.has(name),
      describe: () => 'it is not among the cluster names',
    },
  ];
}

function fieldOf(cluster: ClusterFacts, key: string): string | undefined {
  return key === 'zone' ? cluster.zones.join(', ') || undefined : own(cluster.fields, key);
}

function seen(value: string | undefined): string {
  return value === undefined ? 'absent' : `"${value}"`;
}

function wanted(expression: {
  readonly operator: string;
  readonly values?: readonly string[];
}): string {
  const { operator, values = [] } = expression;
  if (values.length === 0) return `wanted ${operator}`;
  const more = values.length <= VALUES_SHOWN ? '' : ` and ${values.length - VALUES_SHOWN} more`;
  return `wanted ${operator} (${values.slice(0, VALUES_SHOWN).join(', ')}${more})`;
}
