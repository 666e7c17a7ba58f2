import type { Assumed } from './estimate/in-flight.js';
import { estimateAvailable } from './estimate/index.js';
import type { FleetIndex } from './fleet-index.js';
import type { Gates } from './gates.js';
import { tierOf } from './placement.js';
import { scoreOf } from './score/index.js';
import type { Subject } from './subject.js';

/** Feasible clusters with the numbers that selection and division read. All arrays but `positions` are by position. */
export interface Candidates {
  readonly positions: Int32Array;
  /** Overflow order; absent: all 0. */
  readonly tier?: Float64Array;
  readonly score: Float64Array;
  /** Replicas (or component sets) that the cluster has room for. */
  readonly allocatable: Float64Array;
  /** `allocatable` plus what the binding has there already. */
  readonly available: Float64Array;
}

/** Score and estimate the feasible clusters. Source: scheduling reference §8, §9.7. */
export function rateCandidates(
  fleet: FleetIndex,
  subject: Subject,
  positions: Int32Array,
  context: { readonly gates: Gates; readonly assumed?: Assumed | undefined },
): Candidates {
  const allocatable = estimateAvailable(fleet, subject, positions, context);
  if (closesUnready(subject, context.gates)) closeUnready(fleet, positions, allocatable);
  const isNew = subject.bound.size === 0;
  const available = isNew ? allocatable : allocatable.slice();
  const score = new Float64Array(fleet.clusters.length);
  const hasTiers = subject.placement.terms.length > 0 && subject.placement.affinity === undefined;
  const tier = hasTiers ? new Float64Array(fleet.clusters.length) : undefined;
  for (const position of positions) {
    const cluster = fleet.clusters[position];
    if (cluster === undefined) continue;
    if (tier !== undefined)
      tier[position] = tierOf(subject.placement, subject.affinityName, cluster);
    if (isNew) continue;
    score[position] = scoreOf(subject, cluster);
    available[position] = (available[position] ?? 0) + (subject.bound.get(cluster.name) ?? 0);
  }
  return { positions, score, allocatable, available, ...(tier !== undefined && { tier }) };
}

/** Whether unready clusters take no more of this binding: where every cluster gets all replicas, nobody asks for room. */
export function closesUnready(
  { spec, placement }: Pick<Subject, 'spec' | 'placement'>,
  gates: Gates,
): boolean {
  return (
    gates.unreadyTakesNoMore && (spec.replicas ?? 0) > 0 && placement.strategy !== 'Duplicated'
  );
}

function closeUnready(fleet: FleetIndex, positions: Int32Array, allocatable: Float64Array): void {
  for (const position of positions)
    if (fleet.clusters[position]?.isUnready) allocatable[position] = 0;
}
