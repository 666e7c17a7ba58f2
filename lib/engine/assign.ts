import type {
  ResourceBindingSpec,
  ResourceBindingStatus,
  TargetCluster,
} from '../api/resource-binding.js';
import type { ClaimedBinding, PlacedBinding } from './binding.js';
import { isWorkload } from './binding.js';
import { compareBy, sorted } from './compare.js';
import { definedKinds, withDefinedKinds } from './defined-kinds.js';
import type { Diagnostic } from './diagnostic.js';
import type { PlannedBinding } from './plan.js';
import { placementDiagnostics } from './placement-diagnostics.js';
import { forcedReschedules } from './reschedule.js';
import type { Assumed, FleetIndex, Gates, Peers, ScheduleOutcome } from './schedule/index.js';
import {
  assume,
  createAssumed,
  createPeers,
  indexFleet,
  needsScheduling,
  queueOrder,
  scheduleBinding,
} from './schedule/index.js';
import type { Snapshot } from './snapshot.js';
import { verdictsOf } from './verdicts.js';
import type { Versions } from './versions.js';

/** Every claimed binding with its clusters, and what could not be placed. */
export interface Assigned {
  /** Sorted by resource key. */
  readonly placed: readonly PlacedBinding[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What bindings decided together share: each sees what the ones before it took. */
interface Run {
  readonly now: string;
  readonly versions: Versions;
  readonly gates: Gates;
  readonly fleet: FleetIndex;
  readonly peers: Peers;
  readonly assumed?: Assumed;
  readonly forced: ReadonlySet<string>;
}

/**
 * Decide which clusters take each binding and how many replicas, in the order of the scheduler's queue. An unchanged
 * binding keeps what the lock says. One that cannot be placed keeps its last assignment (nothing is planned to zero).
 *
 * In the default profile kinds that a CRD of this plan defines count as served where the CRD goes, so that a custom
 * resource and its definition can be planned together.
 */
export function assign(
  snapshot: Snapshot,
  bindings: readonly ClaimedBinding[],
  versions: Versions,
  gates: Gates,
): Assigned {
  const queue = queueOrder(bindings, gates);
  const peers = createPeers(
    bindings.map(({ resource, name, spec }) => ({
      metadata: {
        name,
        ...(resource.namespace !== undefined && { namespace: resource.namespace }),
      },
      spec,
    })),
  );
  const forced = forcedReschedules(snapshot);
  const runOver = (clusters: Snapshot['clusters']): Run => {
    const fleet = indexFleet(clusters);
    const assumed = gates.SchedulingOvercommitProtection
      ? inFlight(snapshot, queue, fleet)
      : undefined;
    return {
      versions,
      gates,
      fleet,
      peers,
      forced,
      now: snapshot.now,
      ...(assumed !== undefined && { assumed }),
    };
  };
  const isDefinition = (binding: ClaimedBinding): boolean =>
    binding.resource.kind === 'CustomResourceDefinition';
  const first = runOver(snapshot.clusters);
  const definitions = queue.filter(isDefinition).map((binding) => decide(first, binding));
  const kinds = snapshot.options.profile === 'default' ? definedKinds(definitions) : new Map();
  const second = kinds.size === 0 ? first : runOver(withDefinedKinds(snapshot.clusters, kinds));
  const others = queue
    .filter((binding) => !isDefinition(binding))
    .map((binding) => decide(second, binding));
  const placed = sorted(
    [...definitions, ...others],
    compareBy((b) => b.key),
  );
  return { placed, diagnostics: placementDiagnostics(placed) };
}

/** What the lock placed after the fleet was observed: no summary shows those pods yet, so they take room. */
function inFlight(
  snapshot: Snapshot,
  bindings: readonly ClaimedBinding[],
  fleet: FleetIndex,
): Assumed {
  const assumed = createAssumed(fleet.capacity);
  const observed = Date.parse(snapshot.fleet.observedAt ?? '1970-01-01T00:00:00Z');
  for (const { spec, locked } of bindings) {
    if (locked === undefined || Date.parse(locked.decidedAt) <= observed) continue;
    assume(assumed, { ...spec, clusters: [] }, spec.clusters ?? [], fleet.positionOf);
  }
  return assumed;
}

function decide(run: Run, binding: ClaimedBinding): PlacedBinding {
  const { fleet, gates } = run;
  const spec = specAt(run, binding);
  const status = statusOf(binding);
  const { locked } = binding;
  const trigger = needsScheduling(
    fleet,
    {
      spec,
      status,
      appliedPlacement: locked === undefined ? '' : JSON.stringify(locked.placement ?? {}),
    },
    gates,
  );
  if (!trigger.yes) {
    return place(
      run,
      binding,
      spec,
      spec.clusters ?? [],
      { kind: 'kept', reason: 'the lock has it, and neither template nor policy asks for another' },
      status.schedulerObservingAffinityName,
    );
  }
  const outcome = scheduleBinding(
    fleet,
    { spec, status },
    { gates, peers: run.peers, ...(run.assumed !== undefined && { assumed: run.assumed }) },
  );
  if (outcome.reason !== 'Success') {
    // Karmada empties the list when no cluster fits; a plan never takes the last copy away by itself.
    const kept = spec.clusters ?? [];
    return place(
      run,
      binding,
      spec,
      kept,
      { kind: 'failed', reason: outcome.error?.message ?? outcome.reason },
      outcome.observedAffinity,
      outcome,
    );
  }
  if (run.assumed !== undefined) assume(run.assumed, spec, outcome.clusters, fleet.positionOf);
  run.peers.put({
    metadata: {
      name: binding.name,
      ...(spec.resource.namespace !== undefined && { namespace: spec.resource.namespace }),
    },
    spec: { ...spec, clusters: outcome.clusters },
  });
  return place(
    run,
    binding,
    spec,
    outcome.clusters,
    decisionOf(binding, trigger.why, outcome.clusters),
    outcome.observedAffinity,
    outcome,
  );
}

/** The binding's spec now: rescheduling is asked for at `now`, which is later than the lock's decision. */
function specAt(run: Run, { key, spec, locked }: ClaimedBinding): ResourceBindingSpec {
  return run.forced.has(key) && locked !== undefined
    ? { ...spec, rescheduleTriggeredAt: run.now }
    : spec;
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

function place(
  run: Run,
  binding: ClaimedBinding,
  spec: ResourceBindingSpec,
  clusters: readonly TargetCluster[],
  decision: PlannedBinding['decision'],
  affinity: string | undefined,
  outcome?: ScheduleOutcome,
): PlacedBinding {
  const { key, resource, template, policy, policyDocument, shadowed, locked, why } = binding;
  const known = clusters.filter(({ name }) => run.fleet.positionOf.has(name));
  const version = run.versions.get(key);
  if (version === undefined) throw new TypeError(`template ${key} has no version`);
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
    clusters: sorted(
      known,
      compareBy((c) => c.name),
    ),
    decision,
    verdicts: verdictsOf(run.fleet, spec, known, {
      affinityName: affinity ?? '',
      peers: run.peers,
      outcome,
    }),
    version,
    ...(affinity !== undefined && { affinity }),
    ...(locked !== undefined && { locked }),
  };
}

/** The lock and the plan show replicas only where there are any. */
function withoutReplicas(spec: ResourceBindingSpec): ResourceBindingSpec {
  if (spec.replicas !== 0) return spec;
  const { replicas: _replicas, ...rest } = spec;
  return rest;
}
