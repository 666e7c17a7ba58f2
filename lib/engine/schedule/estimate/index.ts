/**
 * @module Estimates: how many replicas, or sets of components, each candidate has room for.
 *
 * Only the general estimator, which knows the summaries of a fleet, not single nodes.
 */
import { isMultiTemplate } from '../components.js';
import type { FleetIndex } from '../fleet-index.js';
import type { Gates } from '../gates.js';
import type { Subject } from '../subject.js';
import type { Assumed } from './in-flight.js';
import { estimateReplicas, UNLIMITED } from './replicas.js';
import { estimateSets } from './sets.js';

/**
 * *Allocatable* of each candidate, by position. Source: scheduling reference §9.1.
 *
 * A binding without replicas and components is asked nothing: every candidate is unlimited.
 */
export function estimateAvailable(
  fleet: FleetIndex,
  { spec, placement }: Subject,
  positions: ArrayLike<number>,
  { gates, assumed }: { readonly gates: Gates; readonly assumed?: Assumed | undefined },
): Float64Array {
  const out = new Float64Array(fleet.clusters.length);
  const { replicas = 0, components = [] } = spec;
  if (replicas === 0 && components.length === 0) return out.fill(UNLIMITED);
  const capacity = assumed?.capacity ?? fleet.capacity;
  if (gates.MultiplePodTemplatesScheduling && isMultiTemplate(placement, components)) {
    estimateSets(capacity, gates, components, positions, out);
  } else {
    estimateReplicas(capacity, gates, spec.replicaRequirements, positions, out);
  }
  if (gates.unknownRoomIsEnough) openUnknown(fleet, positions, out);
  for (let p = 0; p < out.length; p += 1) if (out[p] === UNLIMITED) out[p] = replicas;
  return out;
}

/** Capacity that nobody wrote down is unknown, never zero. */
function openUnknown(fleet: FleetIndex, positions: ArrayLike<number>, out: Float64Array): void {
  for (let i = 0; i < positions.length; i += 1) {
    const p = positions[i] as number;
    if (fleet.clusters[p]?.document.status?.resourceSummary === undefined) out[p] = UNLIMITED;
  }
}
