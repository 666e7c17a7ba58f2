import { PODS_PER_NODE, type ClusterModel } from './models.js';
import type { Request } from './request.js';

/** Identical virtual nodes that stand next to each other in first-fit order. */
export interface NodeRun {
  readonly count: number;
  /** Free amounts by resource, `pods` among them. */
  readonly free: Readonly<Record<string, number>>;
}

/** The virtual nodes of a cluster before anything is placed, smallest grade first. */
export function nodesOf({ shape, counts }: ClusterModel): readonly NodeRun[] {
  const runs: NodeRun[] = [];
  counts.forEach((count, row) => {
    const free: Record<string, number> = {};
    for (const [resource, least] of shape.least) free[resource] = least[row] ?? 0;
    free['pods'] = PODS_PER_NODE;
    if (count > 0) runs.push({ count, free });
  });
  return runs;
}

/** Replicas of one kind that the nodes have room for. */
export function roomOn(runs: readonly NodeRun[], requests: readonly Request[]): number {
  let room = 0;
  for (const run of runs) room += run.count * fitOn(run, requests);
  return room;
}

/**
 * Place replicas first-fit: each node in order takes as many as fit. What does not fit is left over.
 *
 * Runs are split where a part of their nodes fills, so that thousands of equal nodes cost as much as one.
 */
export function placeOn(
  runs: readonly NodeRun[],
  requests: readonly Request[],
  replicas: number,
): { readonly runs: readonly NodeRun[]; readonly left: number } {
  const after: NodeRun[] = [];
  let left = replicas;
  for (const run of runs) {
    const fit = left > 0 ? fitOn(run, requests) : 0;
    if (fit <= 0) {
      after.push(run);
      continue;
    }
    const full = Math.min(run.count, Math.floor(left / fit));
    if (full > 0) after.push({ count: full, free: consume(run, requests, fit) });
    left -= full * fit;
    const partial = full < run.count && left > 0 ? 1 : 0;
    if (partial > 0) after.push({ count: 1, free: consume(run, requests, left) });
    if (partial > 0) left = 0;
    const untouched = run.count - full - partial;
    if (untouched > 0) after.push({ count: untouched, free: run.free });
  }
  return { runs: after, left };
}

function fitOn({ free }: NodeRun, requests: readonly Request[]): number {
  let fit = free['pods'] ?? 0;
  for (const { resource, amount, isNodeResource } of requests) {
    if (isNodeResource) fit = Math.min(fit, Math.floor((free[resource] ?? 0) / amount));
  }
  return fit;
}

function consume(
  { free }: NodeRun,
  requests: readonly Request[],
  replicas: number,
): NodeRun['free'] {
  const rest: Record<string, number> = { ...free, pods: (free['pods'] ?? 0) - replicas };
  for (const { resource, amount, isNodeResource } of requests) {
    if (isNodeResource && resource !== 'pods')
      rest[resource] = (rest[resource] ?? 0) - replicas * amount;
  }
  return rest;
}
