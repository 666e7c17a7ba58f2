import type { SpreadConstraint } from '../api/placement.js';

/** How many groups of clusters are wanted; both are counts of 1 or more. */
export interface GroupCount {
  /**
   * Fewer is no answer: the placement fails with a reason.
   * @default 1
   */
  readonly min?: number;
  /** At most so many. Karmada takes a missing limit literally and chooses nothing, so it is required here. */
  readonly max: number;
}

/** The common values of `placement.spreadConstraints`. Each returns Karmada's fields. */
export class SpreadConstraints {
  /** So many clusters, whatever their regions. */
  static overClusters(clusters: GroupCount): SpreadConstraint[] {
    return [constraint('cluster', clusters)];
  }

  /**
   * Clusters of so many regions, and so many in all: Karmada does not accept a constraint by region alone.
   * `clusters.min` of at least `regions.min` is implied by the regions.
   */
  static overRegions(regions: GroupCount, clusters: GroupCount): SpreadConstraint[] {
    return [constraint('region', regions), constraint('cluster', clusters)];
  }
}

function constraint(
  spreadByField: 'cluster' | 'region',
  { min = 1, max }: GroupCount,
): SpreadConstraint {
  return { spreadByField, minGroups: min, maxGroups: max };
}
