import type { Cluster } from '../../../lib/api/cluster.js';
import type { Placement } from '../../../lib/api/placement.js';
import type { ResourceBindingSpec, TargetCluster } from '../../../lib/api/resource-binding.js';
import type { Gates, PlacementHints, ScheduleOutcome } from '../../../lib/engine/schedule/index.js';
import { gatesFor, indexFleet, scheduleBinding } from '../../../lib/engine/schedule/index.js';

/** A healthy cluster that has room for so many pods, whatever they ask for. */
export function roomFor(
  name: string,
  pods: number,
  traits: Partial<Cluster['spec']> & { labels?: Record<string, string> } = {},
): Cluster {
  const { labels = {}, ...spec } = traits;
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, labels },
    spec: { syncMode: 'Push', ...spec },
    status: {
      apiEnablements: [
        { groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] },
        { groupVersion: 'v1', resources: [{ name: 'configmaps', kind: 'ConfigMap' }] },
      ],
      resourceSummary: { allocatable: { pods: `${pods}` } },
    },
  };
}

/** The same cluster with condition Ready False. */
export function unready(cluster: Cluster): Cluster {
  const condition = {
    type: 'Ready',
    status: 'False' as const,
    reason: 'ClusterNotReachable',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  return { ...cluster, status: { ...cluster.status, conditions: [condition] } };
}

/** `{ a: 5, b: 3 }` as clusters with room for as many pods. */
export function rooms(pods: Readonly<Record<string, number>>): Cluster[] {
  return Object.entries(pods).map(([name, count]) => roomFor(name, count));
}

/** `{ a: 5, b: 0 }` as a target list; 0 is an entry without replicas. */
export function targets(replicas: Readonly<Record<string, number>>): TargetCluster[] {
  return Object.entries(replicas).map(([name, count]) =>
    count === 0 ? { name } : { name, replicas: count },
  );
}

export function aBinding(
  replicas: number,
  placement: Placement,
  more: Partial<ResourceBindingSpec> = {},
): ResourceBindingSpec {
  return {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    replicas,
    replicaRequirements: {},
    placement,
    ...more,
  };
}

export function decide(
  clusters: readonly Cluster[],
  spec: ResourceBindingSpec,
  options: {
    gates?: Partial<Gates>;
    fresh?: boolean;
    hints?: PlacementHints;
    explain?: boolean;
  } = {},
): ScheduleOutcome {
  const { gates, fresh, hints, explain } = options;
  const triggered = fresh === true ? { rescheduleTriggeredAt: '2026-01-01T00:00:02Z' } : {};
  return scheduleBinding(
    indexFleet(clusters),
    {
      spec: { ...spec, ...triggered },
      status: { lastScheduledTime: '2026-01-01T00:00:01Z' },
      hints,
    },
    { gates: gatesFor('karmada', gates), explain: explain === true },
  );
}

/** A result as `a 5, b 3`, or the error's text. */
export function describeOutcome({ reason, clusters, error }: ScheduleOutcome): string {
  if (reason !== 'Success') return error?.message ?? reason;
  return clusters
    .map(({ name, replicas }) => (replicas === undefined ? name : `${name} ${replicas}`))
    .join(', ');
}

export const DUPLICATED: Placement = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } };
export const AGGREGATED: Placement = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};
export const DYNAMIC: Placement = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
};
export const WEIGHTED: Placement = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
};

/** Static weights by cluster name. */
export function weighted(weights: Readonly<Record<string, number>>): Placement {
  const staticWeightList = Object.entries(weights).map(([name, weight]) => ({
    targetCluster: { clusterNames: [name] },
    weight,
  }));
  return {
    replicaScheduling: { ...WEIGHTED.replicaScheduling, weightPreference: { staticWeightList } },
  };
}

/** A placement with a spread constraint by cluster, and one by region if given. */
export function spread(
  placement: Placement,
  cluster: readonly [min: number, max: number] | undefined,
  region?: readonly [min: number, max: number],
): Placement {
  const constraint = (
    spreadByField: 'cluster' | 'region',
    bounds: readonly [number, number] | undefined,
  ) =>
    bounds === undefined ? [] : [{ spreadByField, minGroups: bounds[0], maxGroups: bounds[1] }];
  return {
    ...placement,
    spreadConstraints: [...constraint('region', region), ...constraint('cluster', cluster)],
  };
}
