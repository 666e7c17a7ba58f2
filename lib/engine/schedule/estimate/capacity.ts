import type { ResourceSummary } from '../../../api/cluster.js';
import type { ClusterFacts } from '../cluster-facts.js';
import { byNotation, parseQuantity, subtract, ZERO, type Quantity } from '../quantity.js';
import { indexModels, type ClusterModel } from './models.js';
import type { NodeRun } from './nodes.js';
import { own } from '../../own.js';

/** Free amounts of one resource, by cluster position: allocatable minus allocated minus allocating. */
export interface Column {
  /** 1 where the cluster lists the resource as allocatable. */
  readonly isListed: Uint8Array;
  readonly free: Quantity[];
  /** `free` rounded, for arithmetic without objects. */
  readonly milli: Float64Array;
  readonly units: Float64Array;
  /** `free` by its notation, as component sets are counted. */
  readonly noted: Float64Array;
}

/**
 * Free capacity of a fleet. Columns are made on first use and kept; text is parsed once.
 * Nothing known of a cluster (no summary) reads as nothing free, as in Karmada.
 */
export interface Capacity {
  readonly size: number;
  readonly column: (resource: string) => Column;
  readonly model: (position: number) => ClusterModel | undefined;
  /** Virtual nodes where something in flight was placed on them; absent: untouched, as `model` says. */
  readonly nodes: (position: number) => readonly NodeRun[] | undefined;
  readonly quantity: (text: string | number) => Quantity;
}

export function indexCapacity(clusters: readonly ClusterFacts[]): Capacity {
  const summaries = clusters.map(({ document }) => document.status?.resourceSummary);
  const columns = new Map<string, Column>();
  const quantities = new Map<string | number, Quantity>();
  const quantity = (text: string | number): Quantity => {
    let parsed = quantities.get(text);
    if (parsed === undefined) quantities.set(text, (parsed = parseQuantity(text) ?? ZERO));
    return parsed;
  };
  const column = (resource: string): Column => {
    let built = columns.get(resource);
    if (built === undefined)
      columns.set(resource, (built = buildColumn(summaries, resource, quantity)));
    return built;
  };
  const models = indexModels(clusters, quantity);
  const model = (position: number): ClusterModel | undefined => models[position];
  return { size: clusters.length, column, quantity, model, nodes: () => undefined };
}

function buildColumn(
  summaries: readonly (ResourceSummary | undefined)[],
  resource: string,
  quantity: (text: string | number) => Quantity,
): Column {
  const free = summaries.map((summary) => freeOf(summary, resource, quantity));
  return {
    isListed: Uint8Array.from(summaries, (s) =>
      own(s?.allocatable, resource) === undefined ? 0 : 1,
    ),
    free,
    milli: Float64Array.from(free, ({ milli }) => milli),
    units: Float64Array.from(free, ({ units }) => units),
    noted: Float64Array.from(free, byNotation),
  };
}

function freeOf(
  summary: ResourceSummary | undefined,
  resource: string,
  quantity: (text: string | number) => Quantity,
): Quantity {
  const amount = (list: ResourceSummary['allocated']): Quantity => {
    const text = own(list, resource);
    return text === undefined ? ZERO : quantity(text);
  };
  if (summary === undefined) return ZERO;
  const rest = subtract(amount(summary.allocatable), amount(summary.allocated));
  return subtract(rest, amount(summary.allocating));
}
