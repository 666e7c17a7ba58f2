import type { ClusterFacts } from './cluster-facts.js';
import {
  BINDING_FILTERS,
  FILTERS,
  FILTERS_FOR_ALL,
  FILTERS_FOR_NEW,
  type Filter,
} from './filter/index.js';
import type { FleetIndex } from './fleet-index.js';
import type { Feasible } from './placement.js';
import type { Subject } from './subject.js';

/** A cluster that a filter refused. */
export interface Rejection {
  readonly filter: Filter;
  /** Karmada's reason. */
  readonly reason: string;
}

/**
 * Positions of the clusters that pass all filters, ascending (which is name order).
 *
 * The filters that depend on placement and kind alone are asked once per placement, kind and term; a binding with nothing
 * bound, evicted or grouped costs nothing per cluster.
 */
export function findFeasible(fleet: FleetIndex, subject: Subject): Int32Array {
  const feasible = staticallyFeasible(fleet, subject);
  const asksBinding = dependsOnBinding(subject);
  const areOpenToAll = feasible.positionsBound.length === feasible.positions.length;
  if (!asksBinding && (areOpenToAll || subject.bound.size === 0)) return feasible.positions;
  const isBound = new Uint8Array(fleet.clusters.length);
  for (const name of subject.bound.keys()) {
    const position = fleet.positionOf.get(name);
    if (position !== undefined) isBound[position] = 1;
  }
  return feasible.positionsBound.filter((position) => {
    if (feasible.passesNew[position] !== 1 && isBound[position] !== 1) return false;
    const cluster = fleet.clusters[position];
    return (
      cluster !== undefined &&
      !(asksBinding && BINDING_FILTERS.some((filter) => filter.reject(subject, cluster)))
    );
  });
}

/** The first filter that refuses a cluster, if any. Clusters being deleted are refused by none: they are no candidates. */
export function tryFindRejection(subject: Subject, cluster: ClusterFacts): Rejection | undefined {
  for (const filter of FILTERS) {
    const reason = filter.reject(subject, cluster);
    if (reason !== undefined) return { filter, reason };
  }
  return undefined;
}

/** Karmada's text for "no cluster fits": a histogram of reasons (scheduling reference §16.3). */
export function describeMisfit(fleet: FleetIndex, subject: Subject): string {
  const counts = new Map<string, number>();
  for (const cluster of fleet.clusters) {
    if (cluster.isDeleting) continue;
    const reason = tryFindRejection(subject, cluster)?.reason;
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const head = `0/${fleet.clusters.length} clusters are available: `;
  if (counts.size === 0) return `${head}no cluster exists.`;
  return `${head}${[...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ')}.`;
}

/** Whether filters must look at the binding itself, beyond its placement, kind and target list. */
export function dependsOnBinding({ spec, peers }: Subject): boolean {
  if ((spec.gracefulEvictionTasks ?? []).length > 0) return true;
  return peers !== undefined && spec.workloadAffinityGroups !== undefined;
}

/** What the static filters' answers depend on, besides the placement. */
export function staticKey({ affinityName, isWorkload, spec }: Subject): string {
  const { apiVersion, kind } = spec.resource;
  return `${affinityName}\n${isWorkload}\n${apiVersion}\n${kind}`;
}

function staticallyFeasible(fleet: FleetIndex, subject: Subject): Feasible {
  const { feasible } = subject.placement.memo;
  const key = staticKey(subject);
  let known = feasible.get(key);
  if (known === undefined) feasible.set(key, (known = evaluate(fleet, subject)));
  return known;
}

function evaluate(fleet: FleetIndex, subject: Subject): Feasible {
  const hypothetical = { ...subject, bound: NOTHING };
  const passesNew = new Uint8Array(fleet.clusters.length);
  const positions: number[] = [];
  const positionsBound: number[] = [];
  for (const position of subject.placement.reach) {
    const cluster = fleet.clusters[position];
    if (cluster === undefined || cluster.isDeleting) continue;
    if (!passes(FILTERS_FOR_ALL, hypothetical, cluster)) continue;
    positionsBound.push(position);
    if (!passes(FILTERS_FOR_NEW, hypothetical, cluster)) continue;
    positions.push(position);
    passesNew[position] = 1;
  }
  return {
    passesNew,
    positions: Int32Array.from(positions),
    positionsBound: Int32Array.from(positionsBound),
  };
}

const NOTHING: Subject['bound'] = new Map();

function passes(filters: readonly Filter[], subject: Subject, cluster: ClusterFacts): boolean {
  for (const filter of filters) if (filter.reject(subject, cluster) !== undefined) return false;
  return true;
}
