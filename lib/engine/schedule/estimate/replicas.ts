import type { ReplicaRequirements } from '../../../api/replica-requirements.js';
import type { Gates } from '../gates.js';
import type { Capacity } from './capacity.js';
import { fitPerGrade, type ClusterModel, type ModelShape } from './models.js';
import { roomOn } from './nodes.js';
import { requestsOf, type Request } from './request.js';

/** Karmada's "unlimited": the largest 32-bit integer. */
export const UNLIMITED = 2147483647;

/**
 * How many replicas the general estimator sees room for, per candidate.
 *
 * Writes `out[position]` for each of `positions`. Without requirements the free pods; with resource models what the virtual
 * nodes hold, and the totals are not looked at; else what the totals hold. Never more than the free pods, 0 where nothing is
 * known. Node selectors and tolerations have no say. Source: scheduling reference §9.2 to 9.4.
 */
export function estimateReplicas(
  capacity: Capacity,
  gates: Pick<Gates, 'CustomizedClusterResourceModeling'>,
  requirements: ReplicaRequirements | undefined,
  positions: ArrayLike<number>,
  out: Float64Array,
): void {
  const pods = capacity.column('pods').units;
  const requests = requestsOf(requirements, capacity.quantity);
  const useModels = gates.CustomizedClusterResourceModeling && requirements !== undefined;
  const fits = new Map<ModelShape, Float64Array>();
  const byTotals: number[] = [];
  for (let i = 0; i < positions.length; i += 1) {
    const p = positions[i] as number;
    const free = Math.min(UNLIMITED, Math.max(0, pods[p] ?? 0));
    const model = useModels && free > 0 ? capacity.model(p) : undefined;
    if (model === undefined) byTotals.push(p);
    out[p] =
      model === undefined ? free : Math.min(free, byModel(capacity, p, model, requests, fits));
  }
  for (const request of requests) limitByTotal(capacity, request, byTotals, out);
}

function byModel(
  capacity: Capacity,
  position: number,
  model: ClusterModel,
  requests: readonly Request[],
  fits: Map<ModelShape, Float64Array>,
): number {
  const nodes = capacity.nodes(position);
  if (nodes !== undefined) return roomOn(nodes, requests);
  const { shape, counts } = model;
  let fit = fits.get(shape);
  if (fit === undefined) {
    fit = fitPerGrade(
      shape,
      requests.filter(({ isNodeResource }) => isNodeResource),
    );
    fits.set(shape, fit);
  }
  let room = 0;
  for (let row = 0; row < counts.length; row += 1)
    room += (counts[row] as number) * (fit[row] as number);
  return room;
}

function limitByTotal(
  capacity: Capacity,
  { resource, amount }: Request,
  positions: readonly number[],
  out: Float64Array,
): void {
  const { isListed, milli, units } = capacity.column(resource);
  const free = resource === 'cpu' ? milli : units;
  for (const p of positions) {
    const available = free[p] as number;
    if (isListed[p] === 0 || available <= 0) out[p] = 0;
    else out[p] = Math.min(out[p] as number, Math.floor(available / amount));
  }
}
