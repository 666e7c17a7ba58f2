import type { Cluster, ClusterSpec, ResourceModel, Taint } from '../cluster.js';

export interface DefaultOptions {
  /** RFC 3339: the time for `NoExecute` taints without one; absent: they stay without. */
  readonly now?: string;
}

/** The largest int64, as text: a JavaScript number cannot hold it. */
const TOP = '9223372036854775807';

/** Lower bounds of the nine default grades: cores and GiB. */
const GRADES = [
  [0, 0],
  [1, 4],
  [2, 16],
  [4, 32],
  [8, 64],
  [16, 128],
  [32, 256],
  [64, 512],
  [128, 1024],
] as const;

function gib(amount: number): string {
  return amount === 0 ? '0' : `${amount}Gi`;
}

/** What Karmada installs where `resourceModels` is empty (gate `CustomizedClusterResourceModeling`, on by default). */
export const DEFAULT_RESOURCE_MODELS: readonly ResourceModel[] = GRADES.map(
  ([cpu, memory], grade) => {
    const above = GRADES[grade + 1];
    return {
      grade,
      ranges: [
        { name: 'cpu', min: String(cpu), max: above === undefined ? TOP : String(above[0]) },
        { name: 'memory', min: gib(memory), max: above === undefined ? TOP : gib(above[1]) },
      ],
    };
  },
);

/** Defaults of the aggregated API server on creation; the status is kept, as a snapshot needs it. */
export function defaultedCluster(cluster: Cluster, options: DefaultOptions): Cluster {
  const { resourceModels = [], taints } = cluster.spec;
  return {
    ...cluster,
    spec: {
      ...withZones(cluster.spec),
      ...(taints !== undefined && { taints: taints.map((taint) => timed(taint, options.now)) }),
      resourceModels:
        resourceModels.length === 0 ? DEFAULT_RESOURCE_MODELS : normalized(resourceModels),
    },
  };
}

/** A lone `zone` moves to `zones`. */
function withZones(spec: ClusterSpec): ClusterSpec {
  const { zone = '', ...rest } = spec;
  if (zone === '' || (spec.zones ?? []).length > 0) return spec;
  return { ...rest, zones: [zone] };
}

function timed(taint: Taint, now: string | undefined): Taint {
  if (taint.effect !== 'NoExecute' || taint.timeAdded !== undefined || now === undefined) {
    return taint;
  }
  return { ...taint, timeAdded: now };
}

/** Sorted by grade, from zero to the top. */
function normalized(models: readonly ResourceModel[]): readonly ResourceModel[] {
  const sorted = [...models].sort((a, b) => a.grade - b.grade);
  return sorted.map((model, i) => ({
    ...model,
    ranges: model.ranges.map((range) => ({
      ...range,
      ...(i === 0 && { min: '0' }),
      ...(i === sorted.length - 1 && { max: TOP }),
    })),
  }));
}
