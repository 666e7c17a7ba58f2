/**
 * From a plan to clusters: apply a release, wait, soak, settle, remove; and the run that drives the waves. Shared by
 * `fleetwright up` and the Pulumi provider. It decides nothing that the plan has not decided.
 *
 * @module
 */
export { applyRelease, openRelease } from './apply-release.js';
export type { ReleaseOptions, WatchedRelease } from './apply-release.js';
export { readSet, releaseHash, setIdOf } from './apply-set.js';
export type { ApplySet } from './apply-set.js';
export { STEADY_CLOCK } from './clock.js';
export type { Clock } from './clock.js';
export { destroyRelease } from './destroy-release.js';
export type { DestroyOptions, DestroyResult } from './destroy-release.js';
export { announceDestroy, readUnfinishedDestroy } from './unfinished-destroy.js';
export type { UnfinishedDestroy } from './unfinished-destroy.js';
export { lookAtGates } from './look-at-gates.js';
export type { GateLook } from './look-at-gates.js';
export { lookBeforeDestroy } from './look-before-destroy.js';
export type { DestroyLook } from './look-before-destroy.js';
export type { RolloutPlan } from './keep-revision.js';
export { dryRunRelease, dryRunReleases, failsWhenSilent } from './dry-run.js';
export type { DryRunFinding, DryRunOptions } from './dry-run.js';
export { listMembers } from './members.js';
export { inParallel } from './pool.js';
export { readKeptFleet, summarize } from './kept-fleet.js';
export type { KeptFleet, RevisionSummary } from './kept-fleet.js';
export { describeObstacles, prepareRollback } from './prepare-rollback.js';
export type { PreparedRollback, RollbackRequest } from './prepare-rollback.js';
export { readRolloutChanges } from './rollout-changes.js';
export { readRolledBack } from './rolled-back.js';
export type { RolledBack } from './rolled-back.js';
export { readRollbackChanges } from './rollback-changes.js';
export {
  approveRelease,
  describeOtherApproval,
  isProven,
  proveRelease,
  readGateMarks,
} from './prove-release.js';
export { describeFailures } from './result.js';
export type { ObjectResult, ReleaseFailure, ReleaseProgress, ReleaseResult } from './result.js';
export { SETTLE } from './report.js';
export type { RollbackReport, RolloutReport, WaveReport } from './report.js';
export { planDestroy, runDestroy } from './run-destroy.js';
export type { DestroyReport, DestroyWave } from './run-destroy.js';
export { runRollout } from './run-rollout.js';
export type { RolloutOptions } from './rollout-options.js';
export type { RolloutProgress } from './events.js';
export { needsSettling, settleRelease } from './settle-release.js';
export { verifyRelease } from './verify-release.js';
export { observe } from './observe.js';
export type { InterpretLive, Observation, TemplateObservation } from './observe.js';
export { readExisting } from './read-existing.js';
export { unreadyClusters } from './work-order.js';
export { readLive } from './read-live.js';
export type { LiveQuery, LiveReading, ReadLiveOptions } from './read-live.js';
