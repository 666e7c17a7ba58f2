import type {
  BindingAggregatedStatusItem,
  GracefulEvictionTask,
  TargetCluster,
} from '../../api/resource-binding.js';

/** `--graceful-eviction-timeout` of a stock control plane. */
export const GRACEFUL_EVICTION_TIMEOUT_SECONDS = 600;

export interface TaskFacts {
  readonly tasks: readonly GracefulEvictionTask[];
  /** Where the binding is now. */
  readonly clusters: readonly TargetCluster[];
  readonly aggregatedStatus: readonly BindingAggregatedStatusItem[];
  /** The scheduler has seen the binding as it is now. */
  readonly hasScheduled: boolean;
  readonly now: string;
  /** For tasks without a period of their own. @default 600 */
  readonly timeoutSeconds?: number;
}

export interface RemainingTasks {
  /** In the order given; those seen for the first time are stamped with `now`. */
  readonly kept: readonly GracefulEvictionTask[];
  /** Clusters whose old copy may go now. */
  readonly evictedClusters: readonly string[];
  /** Until the next of the kept tasks times out; 0: none will. */
  readonly retryAfterSeconds: number;
}

/** Which evictions are not over yet. Source: lifecycle reference §11.6. */
export function remainingTasks(facts: TaskFacts): RemainingTasks {
  const isReplaced = facts.hasScheduled && facts.clusters.every((c) => isHealthy(c.name, facts));
  const kept: GracefulEvictionTask[] = [];
  const evictedClusters: string[] = [];
  for (const task of facts.tasks) {
    if (task.creationTimestamp === undefined) kept.push({ ...task, creationTimestamp: facts.now });
    else if (isOver(task, isReplaced, facts)) evictedClusters.push(task.fromCluster);
    else kept.push(task);
  }
  const waits = kept
    .filter((task) => task.suppressDeletion === undefined)
    .map((task) => secondsLeft(task, facts));
  return { kept, evictedClusters, retryAfterSeconds: waits.length === 0 ? 0 : Math.min(...waits) };
}

function isOver(task: GracefulEvictionTask, isReplaced: boolean, facts: TaskFacts): boolean {
  // A person decides about these, whatever the clock says.
  if (task.suppressDeletion !== undefined) return !task.suppressDeletion;
  return secondsLeft(task, facts) < 0 || isReplaced;
}

function secondsLeft(task: GracefulEvictionTask, facts: TaskFacts): number {
  const { timeoutSeconds = GRACEFUL_EVICTION_TIMEOUT_SECONDS } = facts;
  const period = task.gracePeriodSeconds ?? timeoutSeconds;
  const age = (Date.parse(facts.now) - Date.parse(task.creationTimestamp ?? facts.now)) / 1000;
  return period - age;
}

function isHealthy(cluster: string, { aggregatedStatus }: TaskFacts): boolean {
  const item = aggregatedStatus.find(({ clusterName }) => clusterName === cluster);
  return item?.health === 'Healthy';
}
