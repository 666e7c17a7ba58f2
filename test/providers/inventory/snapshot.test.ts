import { describe, expect, test } from '@jest/globals';

import { cluster as clusterSchema, type Cluster } from '../../../lib/api/cluster.js';
import {
  connectKubeconfig,
  ProviderError,
  type ClusterClient,
  type Connect,
  type ProviderFailure,
} from '../../../lib/providers/cluster/index.js';
import { snapshotFleet } from '../../../lib/providers/inventory/index.js';
import { describeWithRig } from '../../rig/rig.js';

const NOW = '2026-03-01T10:00:00Z';

type Raw = (path: string) => unknown;

/** A cluster that answers raw paths; an Error is thrown. */
function aClient(cluster: string, raw: Raw): ClusterClient {
  const unused = (): never => {
    throw new Error('a snapshot only reads');
  };
  return {
    cluster,
    raw: async (path) => {
      const answer = raw(path);
      if (answer instanceof Error) throw answer;
      return Promise.resolve(answer);
    },
    discover: () =>
      Promise.resolve([
        { apiVersion: 'v1', kind: 'Pod', resource: 'pods', namespaced: true, verbs: ['list'] },
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          resource: 'deployments',
          namespaced: true,
          verbs: ['list'],
        },
      ]),
    get: () =>
      Promise.resolve({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'kube-system', uid: 'uid-of-kube-system' },
      }),
    list: unused,
    watch: unused,
    apply: unused,
    delete: unused,
    close: () => Promise.resolve(),
  };
}

function aNode(name: string, zone: string): object {
  return {
    metadata: {
      name,
      labels: { 'topology.kubernetes.io/region': 'eu-west', 'topology.kubernetes.io/zone': zone },
    },
    spec: { providerID: `aws:///${zone}/i-1` },
    status: {
      allocatable: { cpu: '4', pods: '110' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  };
}

const aPod = {
  spec: { nodeName: 'n1', containers: [{ resources: { requests: { cpu: '1' } } }] },
  status: { phase: 'Running' },
};

const healthy: Raw = (path) => {
  if (path === '/version') return { gitVersion: 'v1.36.3' };
  if (path === '/readyz') return 'ok';
  if (path.startsWith('/api/v1/nodes')) {
    const isSecond = path.includes('continue=');
    return {
      metadata: isSecond ? {} : { continue: 'next' },
      items: isSecond ? [aNode('n2', 'b')] : [aNode('n1', 'a')],
    };
  }
  return { items: [aPod] };
};

function aFailure(failure: ProviderFailure, message: string, status?: number): ProviderError {
  return new ProviderError(failure, message, {
    cluster: 'eu-1',
    verb: 'list',
    ...(status !== undefined && { status }),
  });
}

const connectTo =
  (clusters: Readonly<Record<string, Raw>>): Connect =>
  (name) => {
    const raw = clusters[name];
    if (raw === undefined)
      return Promise.reject(new ProviderError('invalid', `${name}: no context`, { cluster: name }));
    return Promise.resolve(aClient(name, raw));
  };

describe('a snapshot of the fleet', () => {
  test('is a Cluster document per cluster, sorted, valid and dated', async () => {
    const connect = connectTo({ 'eu-1': healthy, 'ap-1': healthy });

    const { clusters, diagnostics } = await snapshotFleet(connect, ['eu-1', 'ap-1', 'eu-1'], {
      now: NOW,
    });

    expect(diagnostics).toEqual([]);
    expect(clusters.map(({ metadata }) => metadata.name)).toEqual(['ap-1', 'eu-1']);
    expect(clusters.map((one) => clusterSchema.safeParse(one).success)).toEqual([true, true]);
    expect(clusters[1]).toEqual({
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'eu-1', annotations: { 'fleetwright.dev/observed-at': NOW } },
      spec: {
        id: 'uid-of-kube-system',
        syncMode: 'Push',
        provider: 'aws',
        region: 'eu-west',
        zones: ['a', 'b'],
      },
      status: {
        kubernetesVersion: 'v1.36.3',
        apiEnablements: [
          { groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] },
          { groupVersion: 'v1', resources: [{ name: 'pods', kind: 'Pod' }] },
        ],
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'ClusterReady',
            message: 'cluster is healthy and ready to accept workloads',
            lastTransitionTime: NOW,
          },
          {
            type: 'CompleteAPIEnablements',
            status: 'True',
            reason: 'Complete',
            message: '',
            lastTransitionTime: NOW,
          },
        ],
        nodeSummary: { totalNum: 2, readyNum: 2 },
        resourceSummary: {
          allocatable: { cpu: '8', pods: '220' },
          allocated: { cpu: '1', pods: '1' },
        },
      },
    });
  });

  test('keeps what people wrote into the last one', async () => {
    const [before] = (
      await snapshotFleet(connectTo({ 'eu-1': healthy }), ['eu-1'], { now: '2026-02-01T00:00:00Z' })
    ).clusters;
    if (before === undefined) throw new Error('no cluster');
    const written: Cluster = {
      ...before,
      metadata: { ...before.metadata, labels: { tier: 'gold' } },
      spec: {
        ...before.spec,
        region: 'europe',
        taints: [{ key: 'maintenance', effect: 'NoSchedule' }],
      },
    };

    const { clusters } = await snapshotFleet(connectTo({ 'eu-1': healthy }), ['eu-1'], {
      now: NOW,
      previous: [written],
    });

    expect(clusters[0]?.metadata).toMatchObject({
      labels: { tier: 'gold' },
      annotations: { 'fleetwright.dev/observed-at': NOW },
    });
    expect(clusters[0]?.spec).toEqual(written.spec);
    expect(clusters[0]?.status?.conditions?.[0]?.lastTransitionTime).toBe('2026-02-01T00:00:00Z');
  });

  test('keeps an unreachable cluster, as not ready, with what was known; the others are read', async () => {
    const down: Raw = () => aFailure('unreachable', 'eu-1: get /version: connection refused');
    const before = (
      await snapshotFleet(connectTo({ 'eu-1': healthy }), ['eu-1'], { now: '2026-02-01T00:00:00Z' })
    ).clusters;

    const { clusters, diagnostics } = await snapshotFleet(
      connectTo({ 'eu-1': down, 'us-1': healthy }),
      ['eu-1', 'us-1'],
      { now: NOW, previous: before },
    );

    const [eu, us] = clusters;
    expect(eu?.spec.taints).toEqual([
      { key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' },
    ]);
    expect(eu?.status?.conditions?.[0]).toMatchObject({
      type: 'Ready',
      status: 'False',
      reason: 'ClusterNotReachable',
      lastTransitionTime: NOW,
    });
    expect(eu?.status?.resourceSummary).toEqual(before[0]?.status?.resourceSummary);
    expect(eu?.metadata.annotations).toEqual({
      'fleetwright.dev/observed-at': '2026-02-01T00:00:00Z',
    });
    expect(us?.status?.conditions?.[0]?.status).toBe('True');
    expect(diagnostics).toMatchObject([
      {
        code: 'CLUSTER_UNREACHABLE',
        severity: 'error',
        summary: 'eu-1: get /version: connection refused',
      },
    ]);
    expect(clusterSchema.safeParse(eu).success).toBe(true);
  });

  test('takes the taint away when the cluster is back', async () => {
    const down: Raw = () => aFailure('timeout', 'no answer');
    const before = (
      await snapshotFleet(connectTo({ 'eu-1': down }), ['eu-1'], { now: '2026-02-01T00:00:00Z' })
    ).clusters;

    const { clusters } = await snapshotFleet(connectTo({ 'eu-1': healthy }), ['eu-1'], {
      now: NOW,
      previous: before,
    });

    expect(clusters[0]?.spec.taints).toBeUndefined();
    expect(clusters[0]?.status?.conditions?.[0]).toMatchObject({
      status: 'True',
      lastTransitionTime: NOW,
    });
  });

  test('leaves capacity unknown where it may not be read, and names the right', async () => {
    const restricted: Raw = (path) =>
      path.startsWith('/api/v1/pods')
        ? aFailure('forbidden', 'eu-1: cannot list pods', 403)
        : healthy(path);

    const { clusters, diagnostics } = await snapshotFleet(
      connectTo({ 'eu-1': restricted }),
      ['eu-1'],
      { now: NOW },
    );

    expect(clusters[0]?.status).not.toHaveProperty('resourceSummary');
    expect(clusters[0]?.spec.region).toBe('eu-west');
    expect(diagnostics).toMatchObject([
      {
        code: 'CLUSTER_FORBIDDEN',
        severity: 'warning',
        hint: expect.stringContaining('`list` on `nodes` and `pods`'),
      },
    ]);
  });

  test('leaves out a name that the kubeconfig does not know', async () => {
    const { clusters, diagnostics } = await snapshotFleet(connectTo({}), ['eu-7'], { now: NOW });

    expect(clusters).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: 'KUBECONFIG_INVALID', severity: 'error' }]);
  });

  test.each([
    { failure: 'invalid', notAsked: ['eu-1'], unreachable: [] },
    { failure: 'unauthorized', notAsked: ['eu-1'], unreachable: [] },
    { failure: 'forbidden', notAsked: ['eu-1'], unreachable: [] },
    { failure: 'notServed', notAsked: ['eu-1'], unreachable: [] },
    { failure: 'aborted', notAsked: ['eu-1'], unreachable: [] },
    { failure: 'unreachable', notAsked: [], unreachable: ['eu-1'] },
    { failure: 'timeout', notAsked: [], unreachable: ['eu-1'] },
    { failure: 'throttled', notAsked: [], unreachable: ['eu-1'] },
    { failure: 'server', notAsked: [], unreachable: ['eu-1'] },
  ] as const)('$failure of a known cluster: not ready $unreachable', async (row) => {
    const before = (await snapshotFleet(connectTo({ 'eu-1': healthy }), ['eu-1'], { now: NOW }))
      .clusters;
    const broken: Raw = () => aFailure(row.failure, 'eu-1: get /version');

    const taken = await snapshotFleet(connectTo({ 'eu-1': broken }), ['eu-1'], {
      now: NOW,
      previous: before,
    });

    expect(taken).toMatchObject({ notAsked: row.notAsked, unreachable: row.unreachable });
    expect(taken.clusters).toHaveLength(row.unreachable.length);
  });

  test('starts the pods again when their page token expired', async () => {
    let calls = 0;
    const expiring: Raw = (path) => {
      if (!path.startsWith('/api/v1/pods')) return healthy(path);
      calls += 1;
      if (calls === 1) return { metadata: { continue: 'old' }, items: [aPod, aPod] };
      return calls === 2 ? aFailure('conflict', 'expired', 410) : { items: [aPod] };
    };

    const { clusters } = await snapshotFleet(connectTo({ 'eu-1': expiring }), ['eu-1'], {
      now: NOW,
    });

    expect(clusters[0]?.status?.resourceSummary?.allocated).toEqual({ cpu: '1', pods: '1' });
  });
});

describeWithRig('a snapshot of real clusters', (rig) => {
  test('has version, kinds and capacity', async () => {
    const connect = connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } });

    const { clusters, diagnostics } = await snapshotFleet(connect, rig().clusters, { now: NOW });

    expect(diagnostics).toEqual([]);
    expect(clusters.map((one) => clusterSchema.safeParse(one).success)).toEqual([true, true, true]);
    const { spec, status } = clusters[0] ?? {};
    expect(spec?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(status?.kubernetesVersion).toBe('v1.36.3');
    expect(status?.nodeSummary).toEqual({ totalNum: 2, readyNum: 2 });
    expect(status?.resourceSummary?.allocatable).toEqual({
      cpu: '64',
      memory: '256Gi',
      pods: '2000',
    });
    const apps = status?.apiEnablements?.find(({ groupVersion }) => groupVersion === 'apps/v1');
    expect(apps?.resources).toContainEqual({ name: 'deployments', kind: 'Deployment' });
  });

  test.each([
    {
      who: 'who may not read',
      token: () => rig().viewerToken,
      code: 'CLUSTER_FORBIDDEN',
      severity: 'warning',
      count: 1,
    },
    {
      who: 'whom the server does not know',
      token: () => 'expired',
      code: 'CLUSTER_UNAUTHORIZED',
      severity: 'error',
      count: 0,
    },
  ])('by somebody $who: $code', async ({ token, code, severity, count }) => {
    const connect = connectKubeconfig({ kubeconfig: { text: rig().kubeconfigWith(token()) } });

    const { clusters, diagnostics } = await snapshotFleet(connect, ['member1'], { now: NOW });

    expect(diagnostics).toMatchObject([{ code, severity }]);
    expect(clusters).toHaveLength(count);
  });
});
