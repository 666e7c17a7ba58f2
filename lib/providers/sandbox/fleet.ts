import type { KubeObject } from '../../api/object.js';
import { compareStrings, sorted } from '../../engine/compare.js';
import { itemsOf } from './schema/pod-defaults.js';
import { objectAt, type JsonObject } from './merge/json.js';
import { canonicalQuantity, toNano } from './schema/quantity.js';
import { VERSION } from './api/discovery.js';
import { timestamp } from './time.js';
import type { World } from './world.js';
import type { ClusterSpec } from './cluster-spec.js';

const NANO = 1_000_000_000n;

/** The nodes of a simulated cluster, each with an equal share of its capacity. */
export function nodesOf(spec: ClusterSpec): JsonObject[] {
  const capacity = {
    cpu: spec.cpu ?? '8',
    memory: spec.memory ?? '32Gi',
    pods: '110',
    'ephemeral-storage': '100Gi',
  };
  return Array.from({ length: spec.nodes ?? 2 }, (_, index) => {
    const name = `${spec.name}-node-${index + 1}`;
    const labels = {
      'kubernetes.io/hostname': name,
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      ...(spec.region !== undefined && { 'topology.kubernetes.io/region': spec.region }),
      ...(spec.zone !== undefined && { 'topology.kubernetes.io/zone': spec.zone }),
    };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels },
      spec: { ...(spec.provider !== undefined && { providerID: `${spec.provider}://${name}` }) },
      status: {
        capacity,
        allocatable: capacity,
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'KubeletReady',
            message: 'kubelet is posting ready status',
          },
        ],
        nodeInfo: {
          kubeletVersion: VERSION.gitVersion,
          operatingSystem: 'linux',
          architecture: 'amd64',
          containerRuntimeVersion: 'sandbox://1',
          kernelVersion: '',
          osImage: '',
          kubeProxyVersion: '',
          machineID: '',
          systemUUID: '',
          bootID: '',
        },
      },
    };
  });
}

/** The Karmada `Cluster` document of a simulated cluster, as its control plane would report it now. */
export function clusterDocument(world: World, spec: ClusterSpec, isUp: boolean): KubeObject {
  const now = timestamp(world.time);
  const nodes = world.store.list({ group: '', resource: 'nodes' });
  const pods = world.store
    .list({ group: '', resource: 'pods' })
    .filter((pod) => !['Succeeded', 'Failed'].includes(String(objectAt(pod, 'status')['phase'])));
  const onNodes = pods.filter((pod) => objectAt(pod, 'spec')['nodeName'] !== undefined);
  const waiting = pods.filter((pod) => objectAt(pod, 'spec')['nodeName'] === undefined);
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: {
      name: spec.name,
      ...(spec.labels !== undefined && { labels: spec.labels }),
      annotations: { 'fleetwright.dev/observed-at': now },
    },
    spec: {
      id: `sandbox-${spec.name}`,
      syncMode: 'Push',
      ...(spec.provider !== undefined && { provider: spec.provider }),
      ...(spec.region !== undefined && { region: spec.region }),
      ...(spec.zone !== undefined && { zones: [spec.zone] }),
      ...(spec.taints !== undefined && spec.taints.length > 0 && { taints: spec.taints }),
    },
    status: {
      kubernetesVersion: VERSION.gitVersion,
      apiEnablements: apiEnablements(world),
      conditions: [
        isUp
          ? {
              type: 'Ready',
              status: 'True',
              reason: 'ClusterReady',
              message: 'cluster is healthy and ready to accept workloads',
              lastTransitionTime: now,
            }
          : {
              type: 'Ready',
              status: 'False',
              reason: 'ClusterNotReachable',
              message: 'cluster is not reachable',
              lastTransitionTime: now,
            },
        {
          type: 'CompleteAPIEnablements',
          status: 'True',
          reason: 'FullAPIEnablements',
          message: '',
          lastTransitionTime: now,
        },
      ],
      nodeSummary: { totalNum: nodes.length, readyNum: nodes.length },
      resourceSummary: {
        allocatable: totals(nodes.map((node) => objectAt(node, 'status', 'allocatable'))),
        allocated: requestsOf(onNodes),
        allocating: requestsOf(waiting),
      },
    },
  };
}

function apiEnablements(world: World): object[] {
  const groups = new Map<string, { kind: string; name: string }[]>();
  for (const kind of world.kinds.all()) {
    const resources = groups.get(kind.apiVersion) ?? [];
    groups.set(kind.apiVersion, resources);
    resources.push({ kind: kind.kind, name: kind.resource });
  }
  return sorted(groups.keys(), compareStrings).map((groupVersion) => ({
    groupVersion,
    resources: sorted(groups.get(groupVersion) ?? [], (a, b) => compareStrings(a.name, b.name)),
  }));
}

function requestsOf(pods: readonly JsonObject[]): Record<string, string> {
  const requests = pods.flatMap((pod) =>
    itemsOf(objectAt(pod, 'spec'), 'containers').map((container) =>
      objectAt(container, 'resources', 'requests'),
    ),
  );
  return pods.length === 0 ? {} : { ...totals(requests), pods: String(pods.length) };
}

function totals(lists: readonly JsonObject[]): Record<string, string> {
  const sums = new Map<string, bigint>();
  const binary = new Set<string>();
  for (const list of lists) {
    for (const [name, amount] of Object.entries(list)) {
      const text = String(amount);
      if (/i$/.test(text)) binary.add(name);
      sums.set(name, (sums.get(name) ?? 0n) + (toNano(text) ?? 0n));
    }
  }
  const names = sorted(sums.keys(), compareStrings);
  return Object.fromEntries(
    names.map((name) => [name, written(sums.get(name) ?? 0n, binary.has(name))]),
  );
}

function written(nano: bigint, isBinary: boolean): string {
  const whole = nano / NANO;
  if (!isBinary)
    return canonicalQuantity(nano % NANO === 0n ? String(whole) : `${nano / 1_000_000n}m`);
  return canonicalQuantity(whole % 1024n === 0n ? `${whole / 1024n}Ki` : String(whole));
}
