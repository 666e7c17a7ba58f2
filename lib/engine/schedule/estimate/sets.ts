import type { Component } from '../../../api/replica-requirements.js';
import type { Gates } from '../gates.js';
import { byNotation } from '../quantity.js';
import type { Capacity } from './capacity.js';
import { nodesOf, placeOn, type NodeRun } from './nodes.js';
import { UNLIMITED } from './replicas.js';
import { requestsOf, type Request } from './request.js';

interface Part {
  readonly replicas: number;
  readonly requests: readonly Request[];
}

/**
 * How many complete sets of components the general estimator sees room for, per candidate; writes `out[position]`.
 *
 * Bounded by free pods, by every total, and (with resource models) by placing sets one by one. Amounts written in decimal
 * notation count in thousandths, in binary notation in units, each side by its own: Karmada's oddity. Source: scheduling
 * reference §15.
 */
export function estimateSets(
  capacity: Capacity,
  gates: Pick<Gates, 'CustomizedClusterResourceModeling'>,
  components: readonly Component[],
  positions: ArrayLike<number>,
  out: Float64Array,
): void {
  const pods = capacity.column('pods').units;
  const parts = components.map(({ replicas, replicaRequirements }) => ({
    replicas,
    requests: requestsOf(replicaRequirements, capacity.quantity),
  }));
  const podsPerSet = parts.reduce((sum, { replicas }) => sum + replicas, 0);
  const demand = demandOf(parts);
  for (let i = 0; i < positions.length; i += 1) {
    const p = positions[i] as number;
    const free = Math.min(UNLIMITED, Math.max(0, pods[p] ?? 0));
    if (free === 0 || podsPerSet <= 0) {
      out[p] = free;
      continue;
    }
    const bound = boundByTotals(capacity, p, demand, Math.floor(free / podsPerSet));
    out[p] = gates.CustomizedClusterResourceModeling
      ? boundByNodes(capacity, p, parts, bound)
      : bound;
  }
}

/** Per resource what one set asks for, each component by its own notation. */
function demandOf(parts: readonly Part[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { replicas, requests } of parts) {
    for (const { resource, quantity } of requests) {
      sums.set(resource, (sums.get(resource) ?? 0) + byNotation(quantity) * replicas);
    }
  }
  return sums;
}

function boundByTotals(
  capacity: Capacity,
  position: number,
  demand: ReadonlyMap<string, number>,
  bound: number,
): number {
  let least = bound;
  for (const [resource, amount] of demand) {
    if (amount <= 0) continue;
    const { isListed, noted } = capacity.column(resource);
    const available = noted[position] ?? 0;
    if (isListed[position] === 0 || available <= 0) return 0;
    least = Math.min(least, Math.floor(available / amount) | 0);
  }
  return least;
}

function boundByNodes(
  capacity: Capacity,
  position: number,
  parts: readonly Part[],
  bound: number,
): number {
  const model = capacity.model(position);
  if (model === undefined) return bound;
  let runs: readonly NodeRun[] | undefined = capacity.nodes(position) ?? nodesOf(model);
  let sets = 0;
  while (sets < bound) {
    runs = placeSet(runs, parts);
    if (runs === undefined) return sets;
    sets += 1;
  }
  return sets;
}

/** The nodes after one more set, or `undefined` if a component does not fit. */
function placeSet(
  runs: readonly NodeRun[],
  parts: readonly Part[],
): readonly NodeRun[] | undefined {
  let after = runs;
  for (const { replicas, requests } of parts) {
    const placed = placeOn(after, requests, replicas);
    if (placed.left > 0) return undefined;
    after = placed.runs;
  }
  return after;
}
