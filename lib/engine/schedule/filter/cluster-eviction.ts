import type { Filter } from './filter.js';

/** A cluster that the workload is being evicted from takes nothing. Source: scheduling reference §7.5. */
export const clusterEviction: Filter = {
  name: 'ClusterEviction',
  reject: ({ spec }, { name }) =>
    (spec.gracefulEvictionTasks ?? []).some(({ fromCluster }) => fromCluster === name)
      ? 'cluster(s) is in the process of eviction'
      : undefined,
  explain: ({ spec }, { name }) => {
    const task = spec.gracefulEvictionTasks?.find(({ fromCluster }) => fromCluster === name);
    return `the workload is being evicted from it${task === undefined ? '' : ` (${task.reason})`}`;
  },
};
