/**
 * @module Scheduling: which clusters take a binding and how many replicas each, as Karmada's scheduler decides it.
 *
 * Filter, score, estimate, select, divide; one cycle per affinity term. Knows bindings and clusters; of policies, locks and
 * manifests it refuses to know anything.
 */
export { GATE_NAMES, gatesFor, isGate, type Gates } from './gates.js';
export { indexFleet, type FleetIndex } from './fleet-index.js';
export {
  scheduleBinding,
  type Reason,
  type SchedulableBinding,
  type ScheduleContext,
  type ScheduleOutcome,
} from './schedule.js';
export type { ScheduleError } from './outcome.js';
export { needsScheduling, type Trigger, type TriggerReason } from './trigger.js';
export { queueOrder } from './queue.js';
export { createPeers, type PeerBinding, type Peers } from './peers.js';
export {
  assume,
  createAssumed,
  type Assumed,
  type InFlightWorkload,
} from './estimate/in-flight.js';
export { apportion, type Seat } from './divide/apportion.js';
export type { CandidateNumbers, DivisionStep, Explanation } from './explanation.js';
export { compileAffinity, type ClusterPredicate } from './affinity.js';
export type { ClusterFacts } from './cluster-facts.js';
export { parseQuantity, type Quantity } from './quantity.js';
export { describeTaint, tolerates } from './filter/index.js';
export { verdictsOf, verdictsWhenAsked, type VerdictContext } from './verdicts.js';
export { placementFindings, type FindingInput } from './findings/index.js';
export {
  HINT_ANNOTATIONS,
  parseHints,
  type PlacementHints,
  type ReplicaBound,
  type ReplicaGroup,
} from './beyond/hints.js';
export { debtFindings, type SpreadDebt } from './beyond/soft-spread.js';
export { lacksOf, type GroupLack } from './divide/keep-groups.js';
export type { SpreadLack } from './outcome.js';
