/**
 * In which order clusters change and what must hold in between: waves, readiness, and the wave state machine.
 * Pure; it knows neither clocks nor connections: events tell it what happened, effects say what to do next.
 *
 * @module
 */
export { freezeWaves } from './freeze-waves.js';
export type { FrozenWaves } from './freeze-waves.js';
export type { WaveMember } from './start-order.js';
export { isOnlyScaled, readiness, reportsObserved } from './readiness/index.js';
export type { Readiness } from './readiness/index.js';
export { gateReadiness, isWatchedAtGates } from './gate-readiness.js';
export { supersededBy } from './superseded.js';
export type { Superseded } from './superseded.js';
export { whatHolds } from './what-holds.js';
export { gateVerdict } from './gate.js';
export type { GateMember, GateVerdict } from './gate.js';
export { nextWakeAt, outcomeOf, wavesToRollBack } from './outcome.js';
export type { RolloutOutcome, TouchedWave } from './outcome.js';
export { startRollout } from './state.js';
export type {
  ClusterPhase,
  ClusterState,
  Opening,
  RolloutEffect,
  RolloutEvent,
  RolloutSetup,
  RolloutState,
  SettlePhase,
  SettleState,
  Stepped,
  WavePhase,
  WaveState,
} from './state.js';
export { step } from './step.js';
export {
  applySetId,
  applySetParent,
  contentsOf,
  groupKindOf,
  parentObject,
  LEFT_BY_MARK,
  PRESERVE_MARK,
  readParent,
  SET_MARKS,
  unionOf,
} from './apply-set.js';
export type { SetContents } from './apply-set.js';
export { countDrift, fieldsOfOthers } from './count-drift.js';
export { driftedFields } from './drift.js';
export { immutableChanges } from './immutable.js';
export { keepDrift } from './keep-drift.js';
export type { KeptDrift, KeptField } from './keep-drift.js';
export { driftOfRelease } from './release-drift.js';
export type { DriftContext, FieldDrift, ObjectDrift } from './release-drift.js';
export { explainPods, findCrash } from './explain-pods.js';
export type { Crash } from './explain-pods.js';
export { isWaived, mayBeReplaced, OBJECT_HINTS } from './object-hints.js';
export { PROTECTION_LABEL, protectionOf } from './protection.js';
export { entriesOf, FIELD_MANAGERS, isFreeFor, managersOf, ownershipOf } from './ownership.js';
export type { Ownership } from './ownership.js';
export { toApply } from './to-apply.js';
export type { ApplyContext, ApplyMode, ToApply } from './to-apply.js';
export {
  isSecret,
  KEPT_FOR,
  KEPT_LIMIT,
  KEPT_TYPE,
  keptIndexRef,
  keptSecretRef,
  toKept,
  withEntry,
} from './kept.js';
export type {
  GoingBack,
  WentBack,
  KeptEntry,
  KeptIndex,
  KeptManifest,
  KeptRelease,
  KeptWave,
} from './kept.js';
export { beforeNewest, historyOf } from './way-back.js';
export { changesOf } from './release-changes.js';
export type { ObjectChange } from './release-changes.js';
export { planRollback } from './plan-rollback.js';
export type {
  RollbackPlan,
  RollbackRefusal,
  RollbackRequest,
  RollbackTarget,
} from './plan-rollback.js';
