import type { KubeObject } from '../../api/object.js';
import type { Placement } from '../../api/placement.js';
import { compareStrings, sorted } from '../compare.js';
import { fieldAt, withField } from '../interpret/field.js';

const REPLICAS = ['spec', 'replicas'] as const;

/** Where an object runs, and the objects without what the placement says in their stead. */
export interface Placed {
  readonly placement: Placement;
  /** By cluster; what overrides have to bring about. */
  readonly objects: ReadonlyMap<string, KubeObject>;
}

/**
 * The placement that gives every cluster the replicas it has.
 *
 * Equal counts, and kinds whose replicas are nobody's to divide: `Duplicated`. Different counts of a Deployment or
 * StatefulSet: `Divided`, with the counts as static weights, which divides exactly; the objects then carry the sum. A
 * count of 0 cannot be a weight, so then the count stays a difference between objects.
 */
export function placementOf(objects: ReadonlyMap<string, KubeObject>): Placed {
  const clusterNames = sorted(objects.keys(), compareStrings);
  const clusterAffinity = { clusterNames };
  const counts = clusterNames.map((cluster) => countOf(objects.get(cluster)));
  const total = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const isDivided =
    counts.every((count) => count !== undefined && count > 0) && new Set(counts).size > 1;
  if (!isDivided) {
    const replicaScheduling = { replicaSchedulingType: 'Duplicated' as const };
    return { placement: { clusterAffinity, replicaScheduling }, objects };
  }
  const staticWeightList = clusterNames.map((cluster, index) => ({
    targetCluster: { clusterNames: [cluster] },
    weight: counts[index] ?? 1,
  }));
  return {
    placement: {
      clusterAffinity,
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: { staticWeightList },
      },
    },
    objects: new Map(
      [...objects].map(([cluster, object]) => [cluster, withField(object, REPLICAS, total)]),
    ),
  };
}

function countOf(object: KubeObject | undefined): number | undefined {
  const isDivisible =
    object?.apiVersion === 'apps/v1' &&
    (object.kind === 'Deployment' || object.kind === 'StatefulSet');
  const count = isDivisible ? fieldAt(object, ...REPLICAS) : undefined;
  return typeof count === 'number' ? count : undefined;
}
