import type { Cluster } from '../lib/api/cluster.js';
import type { KubeObject } from '../lib/engine/object.js';
import type { PlanInput, PlanOptions } from '../lib/engine/input.js';

/** What matters of a cluster; everything else is healthy and roomy. */
export interface ClusterTraits {
  readonly region?: string;
  readonly zones?: string[];
  readonly provider?: string;
  readonly labels?: Record<string, string>;
  readonly taints?: {
    key: string;
    value?: string;
    effect: 'NoSchedule' | 'NoExecute';
    timeAdded?: string;
  }[];
  readonly cpu?: number;
  readonly ready?: boolean;
}

const APIS = [
  [
    'v1',
    [
      'ConfigMap',
      'Secret',
      'Service',
      'Namespace',
      'ServiceAccount',
      'PersistentVolumeClaim',
      'Pod',
    ],
  ],
  ['apps/v1', ['Deployment', 'StatefulSet', 'DaemonSet']],
  ['batch/v1', ['Job', 'CronJob']],
  ['networking.k8s.io/v1', ['Ingress']],
  ['apiextensions.k8s.io/v1', ['CustomResourceDefinition']],
  ['rbac.authorization.k8s.io/v1', ['ClusterRole', 'Role', 'RoleBinding', 'ClusterRoleBinding']],
] as const;

export function aCluster(name: string, traits: ClusterTraits = {}): Cluster {
  const { region, zones, provider, labels = {}, taints, cpu = 100, ready = true } = traits;
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, labels },
    spec: {
      syncMode: 'Push',
      ...(region !== undefined && { region }),
      ...(zones !== undefined && { zones }),
      ...(provider !== undefined && { provider }),
      ...(taints !== undefined && { taints }),
    },
    status: {
      apiEnablements: APIS.map(([groupVersion, kinds]) => ({
        groupVersion,
        resources: kinds.map((kind) => ({ kind, name: `${kind.toLowerCase()}s` })),
      })),
      conditions: [
        {
          type: 'Ready',
          status: ready ? 'True' : 'False',
          reason: ready ? 'ClusterReady' : 'ClusterNotReachable',
          message: '',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
      resourceSummary: {
        allocatable: { cpu: String(cpu), memory: `${cpu * 4}Gi`, pods: String(cpu * 10) },
        allocated: { cpu: '0', memory: '0', pods: '0' },
      },
    },
  };
}

export function aDeployment(
  name: string,
  replicas = 2,
  pod: Record<string, unknown> = {},
): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop', labels: { app: name } },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            { name: 'main', image: `${name}:1`, resources: { requests: { cpu: '100m' } } },
          ],
          ...pod,
        },
      },
    },
  };
}

export function aPolicy(
  name: string,
  placement: object,
  spec: Record<string, unknown> = {},
): KubeObject {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, namespace: 'shop' },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name }],
      placement,
      ...spec,
    },
  };
}

export function anInput(
  documents: readonly KubeObject[],
  clusters: readonly Cluster[],
  options: Partial<PlanOptions> = {},
  more: Partial<PlanInput> = {},
): PlanInput {
  return {
    documents: documents.map((object) => ({ object })),
    fleet: { clusters },
    now: '2026-01-02T00:00:00Z',
    options: { application: 'shop', profile: 'default', target: 'members', ...options },
    ...more,
  };
}
