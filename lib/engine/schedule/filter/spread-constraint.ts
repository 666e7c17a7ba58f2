import type { ClusterFacts } from '../cluster-facts.js';
import type { Subject } from '../subject.js';
import type { Filter } from './filter.js';

type Property = 'provider' | 'region' | 'zones';

/**
 * A cluster must have the property that replicas are to be spread by; also where the spread itself is ignored, and for
 * bound clusters. Source: scheduling reference §7.4.
 */
export const spreadConstraint: Filter = {
  name: 'SpreadConstraint',
  reject: (subject, cluster) => {
    const property = missingProperty(subject, cluster);
    return property && `cluster(s) did not have ${property} property`;
  },
  explain: (subject, cluster) =>
    `has no ${missingProperty(subject, cluster) ?? 'property'}, which the placement spreads by`,
};

function missingProperty({ placement }: Subject, cluster: ClusterFacts): Property | undefined {
  for (const { spreadByField } of placement.placement.spreadConstraints ?? []) {
    if (spreadByField === 'provider' && cluster.provider === '') return 'provider';
    if (spreadByField === 'region' && cluster.region === '') return 'region';
    if (spreadByField === 'zone' && cluster.zones.length === 0) return 'zones';
  }
  return undefined;
}
