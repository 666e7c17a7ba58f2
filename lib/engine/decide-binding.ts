import type { Cluster } from '../api/cluster.js';
import type {
  ResourceBindingSpec,
  ResourceBindingStatus,
  TargetCluster,
} from '../api/resource-binding.js';
import type { ClaimedBinding, PlacedBinding } from './binding.js';
import { describeFresh, lacksRoom, takersOf } from './decision-facts.js';
import { isWorkload } from './workload.js';
import { compareBy, sorted } from './compare.js';
import type { Evicted } from './failover/index.js';
import { evictUntolerated, remainingTasks } from './failover/index.js';
import type { PlannedBinding } from './plan.js';
import type {
  Assumed,
  FleetIndex,
  Gates,
  Peers,
  PlacementHints,
  SchedulableBinding,
  ScheduleContext,
  ScheduleOutcome,
} from './schedule/index.js';
import {
  assume,
  needsScheduling,
  parseHints,
  scheduleBinding,
  verdictsWhenAsked,
} from './schedule/index.js';
import type { Takings } from './takers.js';
import type { Versions } from './versions.js';
import { own } from './own.js';

/** What bindings decided together share: each sees what the ones before it took. */
export interface Run {
  readonly now: string;
  readonly versions: Versions;
  readonly gates: Gates;
  /** Clusters with taints. */
  readonly tainted: ReadonlyMap<string, Cluster>;
  readonly fleet: FleetIndex;
  readonly peers: Peers;
  readonly assumed?: Assumed;
  /** Who took room, for those that find none. */
  readonly takings: Takings;
  /** Keys of bindings whose numbers are asked for. */
  readonly explained: ReadonlySet<string>;
  /** Keys of bindings to be decided afresh. */
  readonly forced: ReadonlySet<string>;
}

interface Answer {
  readonly spec: ResourceBindingSpec;
  readonly clusters: readonly TargetCluster[];
  readonly decision: PlannedBinding['decision'];
  readonly affinity?: string | undefined;
  readonly outcome?: ScheduleOutcome;
  /** Of a binding that is kept: the decision that was not taken. */
  readonly fresh?: ScheduleOutcome;
  readonly evicted: Evicted;
}

/**
 * Decide one binding: keep what the lock says, or schedule.
 *
 * Clusters whose NoExecute taint it does not tolerate are left first. A binding that then finds no place keeps its last
 * assignment: Karmada empties the list, a plan takes no last copy away by itself.
 */
export function decideBinding(run: Run, binding: ClaimedBinding): PlacedBinding {
  const answer = answerFor(run, binding);
  if (answer.outcome?.reason === 'Success') remember(run, binding, answer);
  return toPlaced(run, binding, answer);
}

function answerFor(run: Run, binding: ClaimedBinding): Answer {
  const { locked } = binding;
  const hints = hintsOf(binding);
  const before = specAt(run, binding);
  const evicted = evictUntolerated(before, locked?.placement, run.tainted, run.now, run.gates);
  const { spec } = evicted;
  const status = statusOf(binding, run.forced.has(binding.key));
  const trigger = needsScheduling(
    run.fleet,
    {
      spec,
      status,
      appliedPlacement: locked === undefined ? '' : { ...locked.placement },
      hints,
    },
    run.gates,
  );
  const affinity = status.schedulerObservingAffinityName;
  const isExplained = run.explained.has(binding.key);
  if (!trigger.yes) {
    const reason = 'the lock has it, and neither template nor policy asks for another';
    const kept = { spec, clusters: spec.clusters ?? [], affinity, evicted };
    const fresh = isExplained ? { fresh: decideAfresh(run, { spec, hints }) } : {};
    return { ...kept, decision: { kind: 'kept', reason }, ...fresh };
  }
  const outcome = scheduleBinding(run.fleet, { spec, status, hints }, contextOf(run, isExplained));
  const isEmpty = outcome.clusters.length === 0 && evicted.leaving.length > 0;
  if (outcome.reason !== 'Success' || isEmpty) {
    const reason = outcome.error?.message ?? outcome.reason;
    const clusters = before.clusters ?? [];
    return {
      spec: before,
      clusters,
      affinity,
      evicted,
      outcome,
      decision: { kind: 'failed', reason },
    };
  }
  const why =
    evicted.leaving.length > 0
      ? evicted.leaving.map((e) => `left ${e.cluster}: ${e.reason}`).join(', ')
      : trigger.why;
  return {
    spec,
    clusters: outcome.clusters,
    affinity: outcome.observedAffinity,
    evicted,
    outcome,
    decision: decisionOf(binding, why, outcome.clusters),
  };
}

function contextOf({ gates, peers, assumed }: Run, explain: boolean): ScheduleContext {
  return { gates, peers, ...(assumed !== undefined && { assumed }), anyOrder: true, explain };
}

const LONG_AGO = '1970-01-01T00:00:00Z';

/** What `--reschedule` would give now: nothing of it counts, but people want to know. */
function decideAfresh(
  run: Run,
  binding: Pick<SchedulableBinding, 'spec' | 'hints'>,
): ScheduleOutcome {
  const spec = { ...binding.spec, rescheduleTriggeredAt: run.now };
  const status = { lastScheduledTime: LONG_AGO };
  return scheduleBinding(run.fleet, { ...binding, spec, status }, contextOf(run, true));
}

/** What the policy asks for beyond Karmada; what cannot be read is reported with the policy. */
function hintsOf({ policyDocument }: ClaimedBinding): PlacementHints | undefined {
  return parseHints(policyDocument.object.metadata.annotations).hints;
}

/** Later bindings of this run count what this one takes. */
function remember(
  { assumed, fleet, peers, takings }: Run,
  { name, resource }: ClaimedBinding,
  { spec, clusters, decision }: Answer,
): void {
  // What stays as it was takes no more room than the summaries show.
  if (assumed !== undefined && decision.kind !== 'kept') {
    assume(assumed, spec, clusters, fleet.positionOf);
    const priority = spec.schedulePriority?.priority;
    takings.note({ resource, priority }, spec.clusters ?? [], clusters);
  }
  const { namespace } = spec.resource;
  peers.put({
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { ...spec, clusters },
  });
}

/** The binding's spec now: evictions that are over are forgotten, and rescheduling is asked for at `now`. */
function specAt(run: Run, { key, spec, locked }: ClaimedBinding): ResourceBindingSpec {
  const { gracefulEvictionTasks = [], ...rest } = spec;
  const { kept } = remainingTasks({
    tasks: gracefulEvictionTasks,
    clusters: spec.clusters ?? [],
    aggregatedStatus: [],
    hasScheduled: true,
    now: run.now,
  });
  const isForced = run.forced.has(key) && locked !== undefined;
  return {
    ...rest,
    ...(kept.length > 0 && { gracefulEvictionTasks: kept }),
    ...(isForced && { rescheduleTriggeredAt: run.now }),
  };
}

/** Who asks for a fresh decision gets it, also in the second of the last one or with a clock that is behind. */
function statusOf({ locked }: ClaimedBinding, isForced: boolean): ResourceBindingStatus {
  if (locked === undefined) return {};
  return {
    lastScheduledTime: isForced ? LONG_AGO : locked.decidedAt,
    ...(locked.affinity !== undefined && { schedulerObservingAffinityName: locked.affinity }),
  };
}

/** Kinds without replicas are looked at each time; if nothing moved, people are told that it stays. */
function decisionOf(
  { locked }: ClaimedBinding,
  why: string,
  clusters: readonly TargetCluster[],
): PlannedBinding['decision'] {
  if (locked === undefined) return { kind: 'scheduled', reason: 'first time' };
  const stays =
    clusters.length === Object.keys(locked.clusters).length &&
    clusters.every(({ name, replicas = 0 }) => own(locked.clusters, name) === replicas);
  return stays
    ? { kind: 'kept', reason: 'decided again with the same result' }
    : { kind: 'scheduled', reason: why };
}

function toPlaced(run: Run, binding: ClaimedBinding, answer: Answer): PlacedBinding {
  const { key, resource, template, policy, policyDocument, shadowed, locked, why } = binding;
  const { affinity, outcome, fresh, decision, spec } = answer;
  const version = run.versions.get(key);
  if (version === undefined) throw new TypeError(`template ${key} has no version`);
  const known = knownClusters(run, binding, answer.clusters);
  const { leaving, pending } = answer.evicted;
  const verdicts = verdictsWhenAsked(run.fleet, spec, known, {
    affinityName: affinity ?? '',
    ...(run.gates.WorkloadAffinity && { peers: run.peers }),
    outcome,
    hints: hintsOf(binding),
  });
  const explanation = outcome?.explanation ?? fresh?.explanation;
  return {
    key,
    resource,
    template,
    policy,
    policyDocument,
    shadowed,
    why,
    follows: [],
    spec: isWorkload(spec) ? spec : withoutReplicas(spec),
    clusters: known,
    decision,
    verdicts,
    version,
    ...(outcome?.debts !== undefined && { debts: outcome.debts }),
    ...(explanation !== undefined && { explanation }),
    ...(fresh !== undefined && { fresh: describeFresh(fresh, spec) }),
    ...(outcome?.error?.isSpread === true && { isSpreadUnmet: true }),
    ...(outcome?.error?.lack !== undefined && { spreadLack: outcome.error.lack }),
    ...(lacksRoom(outcome) && { takenBy: takersOf(run.takings, verdicts) }),
    ...(leaving.length > 0 && { leaving }),
    ...(pending.length > 0 && { pending }),
    ...(affinity !== undefined && { affinity }),
    ...(locked !== undefined && { locked }),
  };
}

/** Clusters of the fleet, sorted by name, as what the lock has is already. */
function knownClusters(
  { fleet }: Run,
  { spec }: ClaimedBinding,
  clusters: readonly TargetCluster[],
): readonly TargetCluster[] {
  if (clusters === spec.clusters) return clusters;
  return sorted(
    clusters.filter(({ name }) => fleet.positionOf.has(name)),
    compareBy((c) => c.name),
  );
}

/** The lock and the plan show replicas only where there are any. */
function withoutReplicas(spec: ResourceBindingSpec): ResourceBindingSpec {
  if (spec.replicas !== 0) return spec;
  const { replicas: _replicas, ...rest } = spec;
  return rest;
}
