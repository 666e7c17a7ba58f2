import type { Cluster, ResourceModel } from '../../lib/api/cluster.js';
import type { Placement } from '../../lib/api/placement.js';
import type { ResourceBindingSpec } from '../../lib/api/resource-binding.js';

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Karmada's nine default grades. */
const DEFAULT_MODELS: readonly ResourceModel[] = [0, 1, 2, 4, 8, 16, 32, 64, 128].map(
  (cpu, grade) => ({
    grade,
    ranges: [
      { name: 'cpu', min: `${cpu}`, max: `${cpu === 0 ? 1 : cpu * 2}` },
      {
        name: 'memory',
        min: `${grade === 1 ? 4 : cpu * 8}Gi`,
        max: `${cpu === 0 ? 4 : cpu * 16}Gi`,
      },
    ],
  }),
);

/** A fleet in ten regions with uneven room, with or without resource models. */
export function aFleet(size: number, options: { readonly hasModels: boolean }): Cluster[] {
  const random = makeRandom(size);
  return Array.from({ length: size }, (_, i) => {
    const cpu = 64 + Math.floor(random() * 1000);
    const allocatableModelings = DEFAULT_MODELS.map(({ grade }) => ({
      grade,
      count: Math.floor(random() * 12),
    }));
    return {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: {
        name: `c${String(i).padStart(4, '0')}`,
        labels: { tier: i % 3 === 0 ? 'gold' : 'silver', shard: `${i % 10}` },
      },
      spec: {
        syncMode: 'Push',
        provider: `p${i % 3}`,
        region: `r${i % 10}`,
        zones: [`r${i % 10}-${i % 2}`],
        ...(options.hasModels && { resourceModels: DEFAULT_MODELS }),
      },
      status: {
        apiEnablements: [
          { groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] },
        ],
        resourceSummary: {
          allocatable: { cpu: `${cpu}`, memory: `${cpu * 4}Gi`, pods: `${cpu * 10}` },
          allocated: {
            cpu: `${Math.floor(cpu * random() * 500)}m`,
            memory: `${cpu}Gi`,
            pods: `${cpu}`,
          },
          ...(options.hasModels && { allocatableModelings }),
        },
      },
    };
  });
}

/** Dynamic weights over two to four regions and up to twenty clusters. */
export const REGION_SPREAD: Placement = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
  spreadConstraints: [
    { spreadByField: 'region', minGroups: 2, maxGroups: 4 },
    { spreadByField: 'cluster', minGroups: 2, maxGroups: 20 },
  ],
};

/** Bindings with requirements of their own, all different objects. */
export function someBindings(
  count: number,
  placementOf: (i: number) => Placement = () => REGION_SPREAD,
): ResourceBindingSpec[] {
  const random = makeRandom(count);
  return Array.from({ length: count }, (_, i) => ({
    resource: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'shop',
      name: `web-${i}`,
      uid: `uid-${i}`,
    },
    replicas: 2 + Math.floor(random() * 200),
    replicaRequirements: {
      resourceRequest: {
        cpu: `${50 + Math.floor(random() * 950)}m`,
        memory: `${64 + Math.floor(random() * 960)}Mi`,
      },
    },
    placement: structuredClone(placementOf(i)),
  }));
}
