import type { ClaimedBinding, PlacedBinding } from './binding.js';
import { compareBy, sorted } from './compare.js';
import type { Run } from './decide-binding.js';
import { decideBinding } from './decide-binding.js';
import { definedKinds, withDefinedKinds } from './defined-kinds.js';
import type { Diagnostic } from './diagnostic.js';
import { isOf } from './object.js';
import { placementDiagnostics } from './placement-diagnostics.js';
import { forcedReschedules } from './reschedule.js';
import type { Assumed, FleetIndex, Gates } from './schedule/index.js';
import { assume, createAssumed, createPeers, indexFleet, queueOrder } from './schedule/index.js';
import type { Snapshot } from './snapshot.js';
import type { Takings } from './takers.js';
import { createTakings } from './takers.js';
import type { Versions } from './versions.js';

/** Every claimed binding with its clusters, and what could not be placed. */
export interface Assigned {
  /** Sorted by resource key. */
  readonly placed: readonly PlacedBinding[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Decide which clusters take each binding and how many replicas, in the order of the scheduler's queue.
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
  const isDefinition = ({ resource }: ClaimedBinding): boolean =>
    isOf(resource, 'apiextensions.k8s.io', 'CustomResourceDefinition');
  const start = runMaker(snapshot, queue, versions, gates);

  const first = start(snapshot.clusters);
  const definitions = queue.filter(isDefinition).map((binding) => decideBinding(first, binding));
  const kinds = snapshot.options.profile === 'default' ? definedKinds(definitions) : new Map();
  const second = kinds.size === 0 ? first : start(withDefinedKinds(snapshot.clusters, kinds));
  const others = queue
    .filter((b) => !isDefinition(b))
    .map((binding) => decideBinding(second, binding));

  const placed = sorted(
    [...definitions, ...others],
    compareBy((b) => b.key),
  );
  return { placed, diagnostics: placementDiagnostics(snapshot, placed, second.fleet, gates) };
}

function runMaker(
  snapshot: Snapshot,
  queue: readonly ClaimedBinding[],
  versions: Versions,
  gates: Gates,
): (clusters: Snapshot['clusters']) => Run {
  const peers = createPeers(
    queue.map(({ resource: { namespace }, name, spec }) => ({
      metadata: { name, ...(namespace !== undefined && { namespace }) },
      spec,
    })),
  );
  const forced = forcedReschedules(snapshot);
  const explained = new Set(snapshot.options.explain);
  return (clusters) => {
    const fleet = indexFleet(clusters);
    const takings = createTakings();
    const assumed = gates.SchedulingOvercommitProtection
      ? inFlight(snapshot, queue, fleet, takings)
      : undefined;
    const tainted = clusters.filter(({ spec }) => (spec?.taints ?? []).length > 0);
    return {
      versions,
      gates,
      tainted: new Map(tainted.map((c) => [c.metadata.name ?? '', c])),
      fleet,
      peers,
      forced,
      explained,
      takings,
      now: snapshot.now,
      ...(assumed !== undefined && { assumed }),
    };
  };
}

/** What the lock placed after the fleet was observed: no summary shows those pods yet, so they take room. */
function inFlight(
  snapshot: Snapshot,
  queue: readonly ClaimedBinding[],
  fleet: FleetIndex,
  takings: Takings,
): Assumed {
  const assumed = createAssumed(fleet.capacity);
  const observed = Date.parse(snapshot.fleet.observedAt ?? '1970-01-01T00:00:00Z');
  for (const { spec, locked, resource } of queue) {
    if (locked === undefined || Date.parse(locked.decidedAt) <= observed) continue;
    const priority = spec.schedulePriority?.priority;
    takings.note({ resource, priority }, [], spec.clusters ?? []);
    assume(assumed, { ...spec, clusters: [] }, spec.clusters ?? [], fleet.positionOf);
  }
  return assumed;
}
