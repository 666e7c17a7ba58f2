import type { Cluster } from '../../lib/api/cluster.js';
import type { FleetLock } from '../../lib/api/fleet-lock.js';
import type { KubeObject } from '../../lib/api/object.js';
import type { PlanInput } from '../../lib/engine/input.js';
import { aFleet } from './schedule-data.js';

/** Clusters in ten shards, and Deployments each with a policy of its own that takes one shard. */
export interface Size {
  readonly clusters: number;
  readonly placements: number;
  /** Default `Duplicated`, which Karmada decides anew each time; divided ones it keeps while their replicas add up. */
  readonly strategy?: 'Duplicated' | 'Divided';
}

export const FULL: Size = { clusters: 1000, placements: 1000 };

const NOW = '2026-01-01T00:00:00Z';

/** One Deployment per placement, on every tenth cluster: `clusters` × `placements` / 10 assignments. */
export function aPlanInput(size: Size, lock?: FleetLock): PlanInput {
  return inputOf(
    Array.from({ length: size.placements }, (_, i) => [
      aDeployment(i, size.strategy === 'Divided' ? size.clusters / 2 : 2 + (i % 5)),
      shardPolicy(i, i, size.strategy),
    ]).flat(),
    aFleet(size.clusters, { hasModels: false }),
    lock,
  );
}

/** The same input with one policy that asks for another shard. */
export function withOnePlacementChanged(input: PlanInput, position: number): PlanInput {
  const name = `web-${position}`;
  const strategyOf = (policy: KubeObject): NonNullable<Size['strategy']> =>
    (policy['spec'] as ReturnType<typeof policySpec>).placement.replicaScheduling
      .replicaSchedulingType;
  return {
    ...input,
    documents: input.documents.map((document) =>
      document.object.kind === 'PropagationPolicy' && document.object.metadata.name === name
        ? { object: shardPolicy(position, position + 1, strategyOf(document.object)) }
        : document,
    ),
  };
}

/** Deployments that each bring a policy and a ConfigMap that follows, over few clusters. */
export function aWideInput(workloads: number, clusters: number, lock?: FleetLock): PlanInput {
  const documents = Array.from({ length: workloads }, (_, i) => [
    aDeployment(i, 2, `settings-${i}`),
    { ...shardPolicy(i), spec: { ...policySpec(i), propagateDeps: true } },
    aConfigMap(`settings-${i}`),
  ]);
  return inputOf(documents.flat(), aFleet(clusters, { hasModels: false }), lock);
}

function inputOf(
  objects: readonly KubeObject[],
  clusters: readonly Cluster[],
  lock?: FleetLock,
): PlanInput {
  return {
    documents: objects.map((object) => ({ object })),
    fleet: { clusters, observedAt: NOW },
    ...(lock !== undefined && { lock }),
    now: NOW,
    options: { application: 'bench', profile: 'default', target: 'members' },
  };
}

function aDeployment(i: number, replicas: number, settings?: string): KubeObject {
  const labels = { app: `web-${i}` };
  const envFrom = settings === undefined ? [] : [{ configMapRef: { name: settings } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `web-${i}`, namespace: 'shop', labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'web',
              image: `registry.example/web:${i % 7}`,
              ports: [{ containerPort: 8080 }],
              env: [{ name: 'SHOP', value: `${i}` }],
              ...(envFrom.length > 0 && { envFrom }),
              resources: { requests: { cpu: '100m', memory: '128Mi' } },
            },
          ],
        },
      },
    },
  };
}

function aConfigMap(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop' },
    data: { 'settings.ini': `name=${name}\n` },
  };
}

function shardPolicy(i: number, shard = i, strategy?: Size['strategy']): KubeObject {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: `web-${i}`, namespace: 'shop' },
    spec: policySpec(i, shard, strategy),
  };
}

function policySpec(i: number, shard = i, strategy: Size['strategy'] = 'Duplicated') {
  return {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: `web-${i}` }],
    placement: {
      clusterAffinity: {
        labelSelector: { matchLabels: { shard: `${shard % 10}` } },
        exclude: [`none-${i}`],
      },
      replicaScheduling: {
        replicaSchedulingType: strategy,
        ...(strategy === 'Divided' && {
          replicaDivisionPreference: 'Weighted',
          weightPreference: {
            staticWeightList: [{ targetCluster: { labelSelector: {} }, weight: 1 }],
          },
        }),
      },
    },
  };
}
