import type { Component } from '../../../api/replica-requirements.js';
import type { ResourceBindingSpec, TargetCluster } from '../../../api/resource-binding.js';
import { byNotation, quantityOf, ZERO } from '../quantity.js';
import type { Capacity, Column } from './capacity.js';
import { nodesOf, placeOn, type NodeRun } from './nodes.js';
import { requestsOf } from './request.js';
import { own } from '../../own.js';

/** A workload that was decided and whose pods no summary shows yet. */
export interface InFlightWorkload {
  readonly namespace?: string;
  readonly components: readonly Component[];
}

/**
 * Capacity less what was decided in this run. Made once a plan and added to as bindings are decided, in their order:
 * virtual nodes fill first-fit, so the order matters. Source: scheduling reference §9.6.
 */
export interface Assumed {
  readonly capacity: Capacity;
  readonly add: (position: number, workload: InFlightWorkload) => void;
}

/** Nothing in flight yet. */
export function createAssumed(base: Capacity): Assumed {
  const entries: (readonly [position: number, workload: InFlightWorkload])[] = [];
  const columns = new Map<string, Column>();
  const nodes = new Map<number, readonly NodeRun[]>();
  const column = (resource: string): Column => {
    let copy = columns.get(resource);
    if (copy === undefined) {
      copy = copyOf(base.column(resource));
      columns.set(resource, copy);
      for (const [position, workload] of entries) deduct(copy, resource, position, workload, base);
    }
    return copy;
  };
  const add = (position: number, workload: InFlightWorkload): void => {
    for (const [resource, copy] of columns) deduct(copy, resource, position, workload, base);
    entries.push([position, workload]);
    const model = base.model(position);
    if (model === undefined) return;
    nodes.set(position, placeWorkload(nodes.get(position) ?? nodesOf(model), workload, base));
  };
  return { capacity: { ...base, column, nodes: (position) => nodes.get(position) }, add };
}

/**
 * Count a binding's new result as in flight: for each cluster the replicas beyond those it had there before, which the
 * summaries already show.
 */
export function assume(
  assumed: Assumed,
  spec: ResourceBindingSpec,
  clusters: readonly TargetCluster[],
  positionOf: ReadonlyMap<string, number>,
): void {
  const before = new Map((spec.clusters ?? []).map(({ name, replicas = 0 }) => [name, replicas]));
  const { namespace } = spec.resource;
  for (const { name, replicas = 0 } of clusters) {
    const position = positionOf.get(name);
    if (position === undefined) continue;
    const components = growth(spec, replicas, before.get(name));
    if (components.length > 0)
      assumed.add(position, { ...(namespace !== undefined && { namespace }), components });
  }
}

function growth(
  spec: ResourceBindingSpec,
  replicas: number,
  before: number | undefined,
): readonly Component[] {
  if ((spec.components ?? []).length > 0)
    return before === undefined ? (spec.components ?? []) : [];
  const added = replicas - (before ?? 0);
  if (added <= 0) return [];
  const { replicaRequirements } = spec;
  const requirements = replicaRequirements === undefined ? {} : { replicaRequirements };
  return [{ name: spec.resource.name, replicas: added, ...requirements }];
}

function copyOf(column: Column): Column {
  const { free, milli, units, noted } = column;
  return {
    ...column,
    free: [...free],
    milli: milli.slice(),
    units: units.slice(),
    noted: noted.slice(),
  };
}

function deduct(
  column: Column,
  resource: string,
  position: number,
  { components }: InFlightWorkload,
  { quantity }: Capacity,
): void {
  const free = column.free[position];
  if (free === undefined) return;
  let nano = 0n;
  let noted = 0;
  for (const { replicas, replicaRequirements } of components) {
    const text = own(replicaRequirements?.resourceRequest, resource);
    const amount = resource === 'pods' ? ONE : text === undefined ? ZERO : quantity(text);
    nano += amount.nano * BigInt(replicas);
    noted += byNotation(amount) * replicas;
  }
  if (nano === 0n) return;
  const rest = quantityOf(free.nano - nano, free.isBinary);
  column.free[position] = rest;
  column.milli[position] = rest.milli;
  column.units[position] = rest.units;
  column.noted[position] = (column.noted[position] ?? 0) - noted;
}

const ONE = quantityOf(1_000_000_000n, false);

/** What fits is consumed; the first component that does not fit ends the workload. */
function placeWorkload(
  runs: readonly NodeRun[],
  { components }: InFlightWorkload,
  { quantity }: Capacity,
): readonly NodeRun[] {
  let after = runs;
  for (const { replicas, replicaRequirements } of components) {
    const placed = placeOn(after, requestsOf(replicaRequirements, quantity), replicas);
    after = placed.runs;
    if (placed.left > 0) break;
  }
  return after;
}
