import type {
  ResourceBindingSpec,
  ResourceBindingStatus,
  TargetCluster,
} from '../../api/resource-binding.js';
import type { PlacementHints } from './beyond/hints.js';
import type { SpreadDebt } from './beyond/soft-spread.js';
import { closesUnready } from './candidates.js';
import { runCycle, type Decided } from './cycle.js';
import type { Assumed } from './estimate/in-flight.js';
import type { FleetIndex } from './fleet-index.js';
import type { Gates } from './gates.js';
import type { Attempt, ScheduleError } from './outcome.js';
import type { Peers } from './peers.js';
import type { Explanation } from './explanation.js';
import { createTrace } from './trace.js';
import { isRescheduleRequired } from './trigger.js';

/** A binding as the scheduler reads it. */
export interface SchedulableBinding {
  readonly spec: ResourceBindingSpec;
  readonly status?: ResourceBindingStatus | undefined;
  /** What its policy asks for beyond Karmada. */
  readonly hints?: PlacementHints | undefined;
}

export interface ScheduleContext {
  readonly gates: Gates;
  /** Other bindings, for workload affinity. */
  readonly peers?: Peers;
  /** What was decided before in this run, for overcommit protection. */
  readonly assumed?: Assumed;
  /** The order of the target list means nothing to the caller: it may come by name, which costs less. */
  readonly anyOrder?: boolean;
  /** Collect the numbers behind the decision; costs time. */
  readonly explain?: boolean;
}

/** Reason of Karmada's condition `Scheduled`. */
export type Reason = 'Success' | 'NoClusterFit' | 'Unschedulable' | 'SchedulerError';

export interface ScheduleOutcome {
  readonly reason: Reason;
  /** The target list afterwards: the result; emptied when no cluster fits; unchanged on other errors. */
  readonly clusters: readonly TargetCluster[];
  /** The order of `clusters` has no meaning in Karmada. */
  readonly unordered?: true;
  /** With `clusterAffinities`, the error of the first term tried. */
  readonly error?: ScheduleError;
  /** With `clusterAffinities`: the term in use afterwards; absent: none yet. */
  readonly observedAffinity?: string;
  /** With soft spread: what the constraints ask for and the fleet does not have. Absent: nothing is owed. */
  readonly debts?: readonly SpreadDebt[];
  /** Clusters that were selected and got no replica, in selection order. Absent: none. */
  readonly unused?: readonly string[];
  /** Clusters that have one replica only for the sake of `minGroups`. Absent: none. */
  readonly raised?: readonly string[];
  /** Gate `unreadyTakesNoMore` was in force: unready clusters counted as full. */
  readonly unreadyTakesNoMore?: true;
  readonly explanation?: Explanation;
}

/**
 * Decide where one binding runs, as Karmada's scheduler does: one cycle, or one per affinity term until one succeeds.
 *
 * Never throws for what users can write; a placement that cannot be honoured is an outcome with an error. Whether to decide
 * at all is {@link needsScheduling}. Source: scheduling reference §6, §14.1, §16.
 */
export function scheduleBinding(
  fleet: FleetIndex,
  { spec, status = {}, hints }: SchedulableBinding,
  context: ScheduleContext,
): ScheduleOutcome {
  const isFresh = isRescheduleRequired(spec, status);
  const trace = context.explain === true ? createTrace() : undefined;
  const attempt = (affinityName: string): Attempt<Decided> =>
    runCycle(fleet, spec, { ...context, hints, isFresh, affinityName, trace });
  const outcome = hasTerms(spec)
    ? tryTerms(spec, status, isFresh, attempt)
    : concludeWith(spec, attempt(status.schedulerObservingAffinityName ?? ''));
  const isClosed = closesUnready(
    { spec, placement: fleet.compile(spec.placement ?? {}) },
    context.gates,
  );
  if (trace === undefined && !isClosed) return outcome;
  return {
    ...outcome,
    ...(isClosed && { unreadyTakesNoMore: true }),
    ...(trace !== undefined && { explanation: trace.explanation() }),
  };
}

function hasTerms({ placement }: ResourceBindingSpec): boolean {
  return placement?.clusterAffinities !== undefined && placement.clusterAffinities.length > 0;
}

/** Terms in order, from the one in use; the first success ends the search, and the first error is the one reported. */
function tryTerms(
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus,
  isFresh: boolean,
  attempt: (affinityName: string) => Attempt<Decided>,
): ScheduleOutcome {
  const names = (spec.placement?.clusterAffinities ?? []).map(({ affinityName }) => affinityName);
  const observed = status.schedulerObservingAffinityName ?? '';
  const start = isFresh || observed === '' ? 0 : Math.max(0, names.indexOf(observed));
  let first: Attempt<Decided> | undefined;
  for (const name of names.slice(start)) {
    const result = attempt(name);
    if (result.ok) return { ...concludeWith(spec, result), observedAffinity: name };
    first ??= result;
  }
  const outcome = concludeWith(spec, first as Attempt<Decided>); // names is not empty, so there was an attempt
  return observed === '' ? outcome : { ...outcome, observedAffinity: observed };
}

const REASONS = {
  FitError: 'NoClusterFit',
  UnschedulableError: 'Unschedulable',
  Error: 'SchedulerError',
} as const satisfies Record<ScheduleError['type'], Reason>;

function concludeWith(spec: ResourceBindingSpec, attempt: Attempt<Decided>): ScheduleOutcome {
  if (attempt.ok) {
    const { clusters, unordered, debts, unused, raised = [] } = attempt.value;
    return {
      reason: 'Success',
      clusters,
      ...(unordered && { unordered: true }),
      ...(debts.length > 0 && { debts }),
      ...(unused.length > 0 && { unused }),
      ...(raised.length > 0 && { raised }),
    };
  }
  const { error } = attempt;
  const clusters = error.type === 'FitError' ? [] : (spec.clusters ?? []);
  return { reason: REASONS[error.type], clusters, error };
}
