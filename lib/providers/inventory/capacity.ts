import type { ClusterStatus, ResourceModel } from '../../api/cluster.js';
import { compareBy, sorted } from '../../engine/compare.js';
import { parseQuantity } from '../../engine/schedule/index.js';
import { add, printAmounts, toAmounts, type Amounts, type Sums } from './amounts.js';
import { requestsOf, type Pod } from './pod-requests.js';

/** The fields of a Node that count. */
export interface Node {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly providerID?: string };
  readonly status?: {
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Sums up a cluster's nodes, then its pods, one at a time. Keeps a few numbers per node and nothing per pod. */
export interface Capacity {
  addNode(node: Node): void;
  /** After all nodes. */
  addPod(pod: Pod): void;
  forgetPods(): void;
  summary(models: readonly ResourceModel[]): Pick<ClusterStatus, 'nodeSummary' | 'resourceSummary'>;
}

const ONE = 1_000_000_000n; // nanos

/**
 * As Karmada collects it: `allocatable` of all nodes, also cordoned ones and those that are not ready; `allocated` by pods that have a node
 * and are not finished; `allocating` by pods without a node. Two of its faults are not repeated: a full node does not hide the nodes behind
 * it in the histogram, and init containers and sidecars count for their own pod.
 */
export function openCapacity(): Capacity {
  const nodes = new Map<string, { readonly allocatable: Amounts; readonly used: Sums }>();
  const allocatable: Sums = new Map();
  let ready = 0;
  let allocated: Sums = new Map();
  let allocating: Sums = new Map();
  return {
    addNode: ({ metadata, status }) => {
      const own = toAmounts(status?.allocatable);
      nodes.set(metadata.name, { allocatable: own, used: new Map() });
      add(allocatable, own);
      if (status?.conditions?.some(isReady) === true) ready += 1;
    },
    addPod: (pod) => {
      const requests = requestsOf(pod).set('pods', ONE);
      const { nodeName = '' } = pod.spec;
      if (nodeName === '') return add(allocating, requests);
      if (isFinished(pod)) return;
      add(allocated, requests);
      const node = nodes.get(nodeName);
      if (node !== undefined) add(node.used, requests);
    },
    forgetPods: () => {
      allocated = new Map();
      allocating = new Map();
      for (const { used } of nodes.values()) used.clear();
    },
    summary: (models) => ({
      nodeSummary: { totalNum: nodes.size, readyNum: ready },
      resourceSummary: {
        allocatable: printAmounts(allocatable),
        ...(allocating.size > 0 && { allocating: printAmounts(allocating) }),
        ...(allocated.size > 0 && { allocated: printAmounts(allocated) }),
        ...(models.length > 0 && {
          allocatableModelings: histogramOf([...nodes.values()], models),
        }),
      },
    }),
  };
}

function isReady({ type, status }: { readonly type: string; readonly status: string }): boolean {
  return type === 'Ready' && status === 'True';
}

function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Nodes per grade: a node belongs to the lowest of the grades that its free resources reach. */
function histogramOf(
  nodes: readonly { readonly allocatable: Amounts; readonly used: Amounts }[],
  models: readonly ResourceModel[],
): { grade: number; count: number }[] {
  const grades = sorted(
    models,
    compareBy((model) => model.grade),
  ).map(({ grade, ranges }) => ({
    grade,
    min: new Map(ranges.map((range) => [range.name, parseQuantity(range.min)?.nano ?? 0n])),
  }));
  const counts = new Map(grades.map(({ grade }) => [grade, 0]));
  for (const { allocatable, used } of nodes) {
    const free = (name: string): bigint => (allocatable.get(name) ?? 0n) - (used.get(name) ?? 0n);
    if (free('pods') <= 0n) continue;
    const reached = [...(grades[0]?.min.keys() ?? [])]
      .filter((name) => allocatable.has(name))
      .map((name) => grades.findLast(({ min }) => (min.get(name) ?? 0n) <= free(name))?.grade);
    if (reached.length === 0 || reached.includes(undefined)) continue;
    const grade = Math.min(...reached.map((one) => one ?? 0));
    counts.set(grade, (counts.get(grade) ?? 0) + 1);
  }
  return grades.map(({ grade }) => ({ grade, count: counts.get(grade) ?? 0 }));
}
