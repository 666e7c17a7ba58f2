import type { ClusterAffinity } from '../../api/placement.js';
import { canonicalJson } from '../canonical.js';
import { compileLabelSelector } from '../label-selector.js';
import type { ClusterFacts } from './cluster-facts.js';

/** Which clusters a selector can reach: policies are many, and the selectors in them few. */
export interface SelectorIndex {
  /** Positions, ascending, of all clusters that the affinity can match; maybe some more. */
  readonly reachOf: (affinity: ClusterAffinity | undefined) => readonly number[];
}

/** Each distinct label selector is asked about every cluster once. */
export function indexSelectors(clusters: readonly ClusterFacts[]): SelectorIndex {
  const all = clusters.map(({ position }) => position);
  const known = new Map<string, readonly number[]>();
  const reachOf: SelectorIndex['reachOf'] = (affinity) => {
    const selector = affinity?.labelSelector;
    if (selector === undefined || selector === null) return all;
    const key = canonicalJson(selector);
    let reached = known.get(key);
    if (reached === undefined) {
      const matches = compileLabelSelector(selector);
      reached = all.filter((position) => matches(clusters[position]?.labels));
      known.set(key, reached);
    }
    return reached;
  };
  return { reachOf };
}
