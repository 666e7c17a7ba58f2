import type { GracefulEvictionTask, ResourceBindingSpec } from '../../api/resource-binding.js';

export type PurgeMode = NonNullable<GracefulEvictionTask['purgeMode']>;

/** What is recorded of an eviction, besides the cluster and its replicas. */
export type EvictionRecord = Pick<GracefulEvictionTask, 'producer' | 'reason'> &
  Partial<GracefulEvictionTask>;

/** By a NoExecute taint. */
export const TAINT_EVICTION: EvictionRecord = {
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
};

/**
 * A binding that leaves a cluster: off its target list, with a task that remembers it.
 *
 * A task that exists for the cluster stays as it is; a cluster that is no target changes nothing.
 * Source: lifecycle reference §11.5.
 */
export function evictFrom(
  spec: ResourceBindingSpec,
  cluster: string,
  record: EvictionRecord,
): ResourceBindingSpec {
  const target = spec.clusters?.find(({ name }) => name === cluster);
  if (target === undefined) return spec;
  const tasks = spec.gracefulEvictionTasks ?? [];
  const isKnown = tasks.some(({ fromCluster }) => fromCluster === cluster);
  const { replicas = 0 } = target;
  const task = { fromCluster: cluster, ...(replicas > 0 && { replicas }), ...record };
  return {
    ...spec,
    clusters: (spec.clusters ?? []).filter(({ name }) => name !== cluster),
    gracefulEvictionTasks: isKnown ? tasks : [...tasks, task],
  };
}

/** How the old copy goes when a cluster is left: as the policy says, else as the control plane's flag does. */
export function purgeModeFor(
  spec: ResourceBindingSpec,
  flag: 'Directly' | 'Gracefully' = 'Gracefully',
): PurgeMode {
  const failover = spec.failover?.cluster;
  return failover === undefined ? flag : (failover.purgeMode ?? 'Gracefully');
}
