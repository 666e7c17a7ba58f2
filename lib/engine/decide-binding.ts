import type { Cluster } from '../api/cluster.js';
import type {
  ResourceBindingSpec,
  ResourceBindingStatus,
  TargetCluster,
} from '../api/resource-binding.js';
import type { ClaimedBinding, PlacedBinding } from './binding.js';
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
  ScheduleOutcome,
} from './schedule/index.js';
import {
  assume,
  needsScheduling,
  parseHints,
  scheduleBinding,
  verdictsWhenAsked,
} from './schedule/index.js';
import type { Versions } from './versions.js';

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
  const status = statusOf(binding);
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
  const kept = { spec, clusters: spec.clusters ?? [], affinity, evicted };
  if (!trigger.yes) {
    const reason = 'the lock has it, and neither template nor policy asks for another';
    return { ...kept, decision: { kind: 'kept', reason } };
  }
  const outcome = scheduleBinding(
    run.fleet,
    { spec, status, hints },
    {
      gates: run.gates,
      peers: run.peers,
      ...(run.assumed !== undefined && { assumed: run.assumed }),
      anyOrder: true,
      explain: run.explained.has(binding.key),
    },
  );
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

/** What the policy asks for beyond Karmada; what cannot be read is reported with the policy. */
function hintsOf({ policyDocument }: ClaimedBinding): PlacementHints | undefined {
  return parseHints(policyDocument.object.metadata.annotations).hints;
}

/** Later bindings of this run count what this one takes. */
function remember(
  { assumed, fleet, peers }: Run,
  { name }: ClaimedBinding,
  { spec, clusters, decision }: Answer,
): void {
  // What stays as it was takes no more room than the summaries show.
  if (assumed !== undefined && decision.kind !== 'kept')
    assume(assumed, spec, clusters, fleet.positionOf);
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

function statusOf({ locked }: ClaimedBinding): ResourceBindingStatus {
  if (locked === undefined) return {};
  return {
    lastScheduledTime: locked.decidedAt,
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
    clusters.every(({ name, replicas = 0 }) => locked.clusters[name] === replicas);
  return stays
    ? { kind: 'kept', reason: 'decided again with the same result' }
    : { kind: 'scheduled', reason: why };
}

function toPlaced(run: Run, binding: ClaimedBinding, answer: Answer): PlacedBinding {
  const { key, resource, template, policy, policyDocument, shadowed, locked, why } = binding;
  const { affinity, outcome, decision, spec } = answer;
  const version = run.versions.get(key);
  if (version === undefined) throw new TypeError(`template ${key} has no version`);
  const known = knownClusters(run, binding, answer.clusters);
  const { leaving, pending } = answer.evicted;
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
    verdicts: verdictsWhenAsked(run.fleet, spec, known, {
      affinityName: affinity ?? '',
      ...(run.gates.WorkloadAffinity && { peers: run.peers }),
      outcome,
      hints: hintsOf(binding),
    }),
    version,
    ...(outcome?.debts !== undefined && { debts: outcome.debts }),
    ...(outcome?.explanation !== undefined && { explanation: outcome.explanation }),
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
