import { describe, expect, test } from '@jest/globals';
import { plan } from '../../lib/engine/index.js';
import type { KubeObject, PlanInput, PlanOptions } from '../../lib/engine/index.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

const tools = standardTools();
const A = aCluster('a');
const B = aCluster('b');
const LABELLED = { clusterAffinity: { labelSelector: { matchLabels: { live: 'yes' } } } };
const LIVE_A = aCluster('a', { labels: { live: 'yes' } });
const LIVE_B = aCluster('b', { labels: { live: 'yes' } });
const FOUR = ['a', 'b', 'c', 'd'].map((name) => aCluster(name));
const DIVIDED = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
};
const on = (...clusterNames: string[]): object => ({ clusterAffinity: { clusterNames } });

const byWeight = (weights: Record<string, number>): object => ({
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      staticWeightList: Object.entries(weights).map(([name, weight]) => ({
        targetCluster: { clusterNames: [name] },
        weight,
      })),
    },
  },
});

interface Step {
  readonly placement: object;
  readonly replicas?: number;
  readonly clusters?: PlanInput['fleet']['clusters'];
  readonly options?: Partial<PlanOptions>;
  readonly more?: readonly KubeObject[];
}

/** The findings about moves of the second plan, whose lock is the first one's. */
function movesFrom(before: Step, after: Step): string[] {
  const inputOf = ({ placement, replicas = 4, clusters = [A, B], options, more = [] }: Step) =>
    anInput([aDeployment('web', replicas), aPolicy('web', placement), ...more], clusters, options);
  const { lock } = plan(inputOf(before), tools);
  return plan({ ...inputOf(after), now: '2026-01-03T00:00:00Z', lock }, tools)
    .diagnostics.filter(({ code }) => code === 'WORKLOAD_MOVES')
    .map(({ severity, summary }) => `${severity}: ${summary}`);
}

const WHOLE = 'Deployment shop/web runs on a (4 replicas) and would leave; it goes to b (4).';

describe('a running workload that would leave a cluster', () => {
  test.each<[string, Step, Step, string[]]>([
    [
      'by another affinity, divided',
      { placement: { ...DIVIDED, ...on('a') } },
      { placement: { ...DIVIDED, ...on('b') } },
      [`error: ${WHOLE}`],
    ],
    [
      'by another affinity, duplicated',
      { placement: on('a') },
      { placement: on('b') },
      [`error: ${WHOLE}`],
    ],
    ['one of two', { placement: on('a', 'b') }, { placement: on('b') }, [`error: ${WHOLE}`]],
    [
      'with fewer replicas',
      { placement: { ...DIVIDED, ...on('a') }, replicas: 6 },
      { placement: { ...DIVIDED, ...on('b') }, replicas: 5 },
      ['error: Deployment shop/web runs on a (6 replicas) and would leave; it goes to b (5).'],
    ],
    [
      'with fewer replicas, duplicated',
      { placement: on('a', 'b'), replicas: 6 },
      { placement: on('b'), replicas: 1 },
      ['error: Deployment shop/web runs on a (6 replicas) and would leave; it goes to b (1).'],
    ],
    [
      'by other weights, with fewer replicas',
      { placement: byWeight({ a: 1, b: 1 }) },
      { placement: byWeight({ b: 1 }), replicas: 3 },
      ['error: Deployment shop/web runs on a (2 replicas) and would leave; it goes to b (3).'],
    ],
    [
      'by other weights, with as many replicas less as it had there',
      { placement: byWeight({ a: 1, b: 1 }) },
      { placement: byWeight({ b: 1 }), replicas: 2 },
      ['error: Deployment shop/web runs on a (2 replicas) and would leave; it goes to b (2).'],
    ],
    [
      'that lost its label, with fewer replicas',
      { placement: { ...DIVIDED, ...LABELLED }, clusters: [LIVE_A, LIVE_B] },
      { placement: { ...DIVIDED, ...LABELLED }, replicas: 2, clusters: [A, LIVE_B] },
      ['error: Deployment shop/web runs on a (2 replicas) and would leave; it goes to b (2).'],
    ],
    [
      'that may not stay, with fewer replicas',
      { placement: { ...DIVIDED, ...on('a', 'b') } },
      { placement: { ...DIVIDED, ...on('b') }, replicas: 2 },
      ['error: Deployment shop/web runs on a (2 replicas) and would leave; it goes to b (2).'],
    ],
    [
      'in the profile of Karmada',
      { placement: on('a') },
      { placement: on('b'), options: { profile: 'karmada' } },
      [`warning: ${WHOLE}`],
    ],
    [
      'acknowledged by code',
      { placement: on('a') },
      { placement: on('b'), options: { acknowledge: ['WORKLOAD_MOVES'] } },
      [`warning: ${WHOLE}`],
    ],
    [
      'acknowledged by object',
      { placement: on('a') },
      { placement: on('b'), options: { acknowledge: ['WORKLOAD_MOVES=Deployment/shop/web'] } },
      [`warning: ${WHOLE}`],
    ],
    [
      'another one is acknowledged',
      { placement: on('a') },
      { placement: on('b'), options: { acknowledge: ['WORKLOAD_MOVES=Deployment/shop/api'] } },
      [`error: ${WHOLE}`],
    ],
  ])('is refused until it is named: %s', (_name, before, after, expected) => {
    expect(movesFrom(before, after)).toEqual(expected);
  });

  test.each<[string, Step, Step]>([
    ['nothing changes', { placement: on('a') }, { placement: on('a') }],
    ['a cluster is added', { placement: on('a') }, { placement: on('a', 'b') }],
    [
      'shares change',
      { placement: { ...DIVIDED, ...on('a', 'b') } },
      { placement: { ...DIVIDED, ...on('a', 'b') }, replicas: 6 },
    ],
    [
      'fewer replicas are wanted',
      { placement: { ...DIVIDED, ...on('a', 'b') } },
      { placement: { ...DIVIDED, ...on('a', 'b') }, replicas: 1 },
    ],
    [
      'fewer replicas are wanted than clusters have it',
      { placement: { ...DIVIDED, ...on('a', 'b', 'c', 'd') }, replicas: 8, clusters: FOUR },
      { placement: { ...DIVIDED, ...on('a', 'b', 'c', 'd') }, replicas: 1, clusters: FOUR },
    ],
    [
      'none are wanted any more',
      { placement: { ...DIVIDED, ...on('a') } },
      { placement: { ...DIVIDED, ...on('b') }, replicas: 0 },
    ],
    ['none were there', { placement: on('a'), replicas: 0 }, { placement: on('b'), replicas: 0 }],
    ['the cluster left the fleet', { placement: {} }, { placement: {}, clusters: [B] }],
    [
      'a taint evicts it',
      { placement: DIVIDED },
      {
        placement: DIVIDED,
        clusters: [aCluster('a', { taints: [{ key: 'gone', effect: 'NoExecute' }] }), B],
      },
    ],
    [
      'it is rescheduled on request',
      { placement: on('a') },
      { placement: on('b'), options: { reschedule: 'all' } },
    ],
  ])('is no finding where %s', (_name, before, after) => {
    expect(movesFrom(before, after)).toEqual([]);
  });
});

describe('an object without replicas that would leave a cluster', () => {
  const widgets = (name: string): PlanInput['fleet']['clusters'][number] => {
    const cluster = aCluster(name);
    const more = [
      ['example.org/v1', 'Widget'],
      ['v1', 'ReplicationController'],
      ['multicluster.x-k8s.io/v1alpha1', 'ServiceExport'],
      ['autoscaling/v2', 'HorizontalPodAutoscaler'],
    ].map(([groupVersion = '', kind = '']) => ({
      groupVersion,
      resources: [{ kind, name: kind }],
    }));
    const { status = {} } = cluster;
    return {
      ...cluster,
      status: { ...status, apiEnablements: [...(status.apiEnablements ?? []), ...more] },
    };
  };
  const clusters = [widgets('a'), widgets('b')];

  function movesOf(object: KubeObject, before: object = on('a', 'b')): string[] {
    const { apiVersion, kind } = object;
    const inputOf = (placement: object) =>
      anInput(
        [
          object,
          aPolicy('p', placement, {
            resourceSelectors: [{ apiVersion, kind }],
            propagateDeps: true,
          }),
          { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'env', namespace: 'shop' } },
        ],
        clusters,
      );
    const { lock } = plan(inputOf(before), tools);
    const after = plan({ ...inputOf(on('b')), now: '2026-01-03T00:00:00Z', lock }, tools);
    expect(after.changes).toContainEqual(
      expect.objectContaining({ cluster: 'a', action: 'delete' }) as unknown,
    );
    return after.diagnostics
      .filter(({ code }) => code === 'WORKLOAD_MOVES')
      .map(({ severity, summary }) => `${severity}: ${summary}`);
  }

  const pod = {
    containers: [{ name: 'main', image: 'web:1', envFrom: [{ configMapRef: { name: 'env' } }] }],
  };
  const template = { metadata: { labels: { app: 'x' } }, spec: pod };
  const of = (apiVersion: string, kind: string, spec: object = {}): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name: 'x', namespace: 'shop' },
    spec,
  });

  test.each<[string, KubeObject]>([
    ['DaemonSet', of('apps/v1', 'DaemonSet', { template })],
    [
      'CronJob',
      of('batch/v1', 'CronJob', {
        schedule: '0 0 * * *',
        jobTemplate: {
          spec: { template: { ...template, spec: { ...pod, restartPolicy: 'Never' } } },
        },
      }),
    ],
    ['ReplicationController', of('v1', 'ReplicationController', { template })],
    ['Widget', of('example.org/v1', 'Widget')],
  ])('is found, once for what follows it too: %s', (kind, object) => {
    expect(movesOf(object)).toEqual([
      `error: ${kind} shop/x runs on a and would leave; it goes to b.`,
    ]);
  });

  test('is found with its count where the kind has one', () => {
    expect(movesOf(of('v1', 'Pod', pod), on('a'))).toEqual([
      'error: Pod shop/x runs on a (1 replica) and would leave; it goes to b (1).',
    ]);
  });

  test.each<[string, KubeObject]>([
    ['ConfigMap', of('v1', 'ConfigMap')],
    ['Service', of('v1', 'Service')],
    ['Role', of('rbac.authorization.k8s.io/v1', 'Role')],
    ['ServiceExport', of('multicluster.x-k8s.io/v1alpha1', 'ServiceExport')],
  ])('is no finding where nothing runs: %s', (_kind, object) => {
    expect(movesOf(object)).toEqual([]);
  });
});
