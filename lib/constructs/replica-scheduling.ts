import type { ClusterAffinity, ReplicaSchedulingStrategy } from '../api/placement.js';
import { plainCopy } from './plain-copy.js';

/** A weight for the clusters that match. */
export interface ClusterWeight {
  /** Which clusters have it; of several that match a cluster the largest counts. */
  readonly targetCluster: ClusterAffinity;
  /** 1 or more, relative to the others. */
  readonly weight: number;
}

/** The common values of `placement.replicaScheduling`, by what they do. Each returns Karmada's fields. */
export class ReplicaScheduling {
  /** Every chosen cluster gets all replicas. */
  static duplicated(): ReplicaSchedulingStrategy {
    return { replicaSchedulingType: 'Duplicated' };
  }

  /** Replicas are split in proportion to the room each cluster has. */
  static dividedByAvailableReplicas(): ReplicaSchedulingStrategy {
    return {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: { dynamicWeight: 'AvailableReplicas' },
    };
  }

  /** Replicas are split by fixed weights; clusters without one get nothing. No spread constraints apply. */
  static dividedByWeight(weights: readonly ClusterWeight[]): ReplicaSchedulingStrategy {
    return {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: { staticWeightList: plainCopy(weights) },
    };
  }

  /** By cluster name, e.g. `{ 'eu-1': 2, 'us-1': 1 }`. */
  static dividedByClusterWeight(
    weights: Readonly<Record<string, number>>,
  ): ReplicaSchedulingStrategy {
    return ReplicaScheduling.dividedByWeight(
      Object.entries(weights).map(([name, weight]) => ({
        targetCluster: { clusterNames: [name] },
        weight,
      })),
    );
  }

  /** Replicas are split evenly. No spread constraints apply. */
  static dividedEvenly(): ReplicaSchedulingStrategy {
    return { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' };
  }

  /** As few clusters as the replicas fit into. */
  static aggregated(): ReplicaSchedulingStrategy {
    return { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };
  }
}
