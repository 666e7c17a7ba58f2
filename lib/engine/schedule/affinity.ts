import type { ClusterAffinity, FieldSelector } from '../../api/placement.js';
import { compileLabelSelector, type LabelPredicate } from '../label-selector.js';
import type { ClusterFacts } from './cluster-facts.js';

export type ClusterPredicate = (cluster: ClusterFacts) => boolean;

/**
 * A predicate for a cluster affinity. Every part that is set must match; nothing set matches every cluster, a malformed
 * selector none. Source: scheduling reference §7.7.
 */
export function compileAffinity(affinity: ClusterAffinity): ClusterPredicate {
  const excluded = new Set(affinity.exclude ?? []);
  const named = new Set(affinity.clusterNames ?? []);
  const labels = optionalPredicate(affinity.labelSelector, compileLabelSelector);
  const fields = optionalPredicate(affinity.fieldSelector, compileFieldSelector);
  return (cluster) =>
    !excluded.has(cluster.name) &&
    (labels === undefined || labels(cluster.labels)) &&
    (fields === undefined || fields(cluster)) &&
    (named.size === 0 || named.has(cluster.name));
}

function optionalPredicate<S, P>(
  selector: S | undefined,
  compile: (selector: S) => P,
): P | undefined {
  return selector === undefined || selector === null ? undefined : compile(selector);
}

/** `zone` is a list and has its own rules; the other keys are label requirements over provider and region. */
function compileFieldSelector(selector: FieldSelector): ClusterPredicate {
  const expressions = selector.matchExpressions ?? [];
  const zones = expressions.filter(({ key }) => key === 'zone').map(compileZone);
  const others = expressions.filter(({ key }) => key !== 'zone');
  const fields = compileFields(others);
  return (cluster) => zones.every((matches) => matches(cluster)) && fields(cluster.fields);
}

type Expression = NonNullable<FieldSelector['matchExpressions']>[number];

function compileZone({ operator, values }: Expression): ClusterPredicate {
  const listed = new Set(values ?? []);
  switch (operator) {
    case 'In':
      return ({ zones }) => zones.some((zone) => listed.has(zone));
    case 'NotIn':
      return ({ zones }) => !zones.some((zone) => listed.has(zone));
    case 'Exists':
      return ({ zones }) => zones.length > 0;
    case 'DoesNotExist':
      return ({ zones }) => zones.length === 0;
    default:
      return () => false;
  }
}

function compileFields(expressions: readonly Expression[]): LabelPredicate {
  const comparing = expressions.filter(({ operator }) => operator === 'Gt' || operator === 'Lt');
  const matching = expressions.filter(({ operator }) => operator !== 'Gt' && operator !== 'Lt');
  const comparisons = comparing.map(compileComparison);
  const matches = compileLabelSelector({ matchExpressions: matching });
  return (fields) => matches(fields) && comparisons.every((holds) => holds(fields));
}

const INTEGER = /^[+-]?\d+$/;

function compileComparison({ key, operator, values = [] }: Expression): LabelPredicate {
  const [limit] = values;
  if (values.length !== 1 || limit === undefined || !INTEGER.test(limit)) return () => false;
  return (fields) => {
    const value = fields?.[key];
    if (value === undefined || !INTEGER.test(value)) return false;
    return operator === 'Gt' ? BigInt(value) > BigInt(limit) : BigInt(value) < BigInt(limit);
  };
}
