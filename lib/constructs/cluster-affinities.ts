import type { ClusterAffinity } from '../api/placement.js';

/** The common values of `clusterAffinity` and `targetCluster`. Each returns Karmada's fields. */
export class ClusterAffinities {
  /** These clusters. */
  static byNames(clusterNames: readonly string[]): ClusterAffinity {
    return { clusterNames: [...clusterNames] };
  }

  /** Clusters with all of these labels. */
  static byLabels(matchLabels: Readonly<Record<string, string>>): ClusterAffinity {
    return { labelSelector: { matchLabels: { ...matchLabels } } };
  }

  /** Clusters of any of these regions. */
  static byRegions(regions: readonly string[]): ClusterAffinity {
    return {
      fieldSelector: {
        matchExpressions: [{ key: 'region', operator: 'In', values: [...regions] }],
      },
    };
  }
}
