/**
 * What makes a placed workload leave a cluster: NoExecute taints, and the tasks that record it until the old copy may go.
 * It says who leaves and why; where the replicas go is the scheduler's business.
 *
 * @module
 */
export { evictFrom, purgeModeFor } from './evict-from.js';
export type { PurgeMode } from './evict-from.js';
export { evictUntolerated } from './evict-untolerated.js';
export type { Eviction, Evicted } from './evict-untolerated.js';
export { GRACEFUL_EVICTION_TIMEOUT_SECONDS, remainingTasks } from './graceful.js';
export type { RemainingTasks, TaskFacts } from './graceful.js';
export { tolerationOfTaints } from './no-execute.js';
export type { Toleration } from './no-execute.js';
