import type { ResourceModel } from '../../../api/cluster.js';
import type { ClusterFacts } from '../cluster-facts.js';
import type { Quantity } from '../quantity.js';

/** Pods that a virtual node takes, whatever its grade. */
export const PODS_PER_NODE = 110;

/** Grades of virtual nodes; clusters with the same `resourceModels` share one. */
export interface ModelShape {
  /** Ascending, as `counts` of {@link ClusterModel}. */
  readonly grades: readonly number[];
  /** Lower bound of each grade by resource: milli for cpu, units for others. */
  readonly least: ReadonlyMap<string, Float64Array>;
}

/** Virtual nodes of one cluster, ready for arithmetic. */
export interface ClusterModel {
  readonly shape: ModelShape;
  /** Nodes per grade of the shape. */
  readonly counts: Float64Array;
}

/**
 * Virtual nodes per cluster position. Absent where there are no modelings, no models, or a negative count: then the totals
 * decide. Source: scheduling reference §9.4.
 */
export function indexModels(
  clusters: readonly ClusterFacts[],
  quantity: (text: string | number) => Quantity,
): (ClusterModel | undefined)[] {
  const shapes = new Map<string, ModelShape>();
  return clusters.map(({ document }) => {
    const modelings = document.status?.resourceSummary?.allocatableModelings ?? [];
    const models = document.spec?.resourceModels ?? [];
    if (modelings.length === 0 || models.length === 0) return undefined;
    const key = JSON.stringify(models);
    let shape = shapes.get(key);
    if (shape === undefined) shapes.set(key, (shape = shapeOf(models, quantity)));
    const counts = new Float64Array(shape.grades.length);
    for (const { grade, count } of modelings) {
      if (count < 0) return undefined;
      const row = shape.grades.indexOf(grade);
      if (row >= 0) counts[row] = (counts[row] ?? 0) + count;
    }
    return { shape, counts };
  });
}

function shapeOf(
  models: readonly ResourceModel[],
  quantity: (text: string | number) => Quantity,
): ModelShape {
  const byGrade = new Map(models.map((model) => [model.grade, model]));
  const grades = [...byGrade.keys()].sort((a, b) => a - b);
  const least = new Map<string, Float64Array>();
  grades.forEach((grade, row) => {
    for (const { name, min } of byGrade.get(grade)?.ranges ?? []) {
      let column = least.get(name);
      if (column === undefined) least.set(name, (column = new Float64Array(grades.length)));
      column[row] = amountOf(name, quantity(min));
    }
  });
  least.set('pods', new Float64Array(grades.length).fill(PODS_PER_NODE));
  return { grades, least };
}

/** The number that node arithmetic uses: milli for cpu, whole units for everything else. */
export function amountOf(resource: string, quantity: Quantity): number {
  return resource === 'cpu' ? quantity.milli : quantity.units;
}

/**
 * Replicas that fit one virtual node of each grade.
 *
 * @param requests positive amounts by resource, pods not among them
 */
export function fitPerGrade(
  shape: ModelShape,
  requests: readonly { readonly resource: string; readonly amount: number }[],
): Float64Array {
  const fits = new Float64Array(shape.grades.length).fill(PODS_PER_NODE);
  for (const { resource, amount } of requests) {
    const least = shape.least.get(resource);
    for (let row = 0; row < fits.length; row += 1) {
      const fit = least === undefined ? 0 : Math.floor((least[row] ?? 0) / amount);
      if (fit < (fits[row] ?? 0)) fits[row] = fit;
    }
  }
  return fits;
}

/** Names that Kubernetes' node arithmetic knows; requests of others are left out there. */
export function isNodeResource(name: string): boolean {
  return NODE_RESOURCES.has(name) || isScalar(name);
}

const NODE_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'pods', 'ephemeral-storage']);
const QUALIFIED_NAME =
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

function isScalar(name: string): boolean {
  if (name.startsWith('hugepages-') || name.startsWith('attachable-volumes-')) return true;
  if (name.includes('kubernetes.io/')) return true;
  if (!name.includes('/') || name.startsWith('requests.')) return false;
  const slash = name.indexOf('/');
  return `requests.${name}`.length - (name.length - slash) <= 253 && name.length - slash - 1 <= 63
    ? QUALIFIED_NAME.test(`requests.${name}`)
    : false;
}
