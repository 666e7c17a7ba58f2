import { describe, expect, test } from '@jest/globals';
import { type KubeObject, withDefaults } from '../../lib/api/index.js';
import { TAKEN } from './admission-cases.js';

function policy(kind: string, spec: object): KubeObject {
  const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment' }];
  return frozen({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind,
    metadata: { name: 'web', namespace: 'shop' },
    spec: { resourceSelectors, ...spec },
  });
}

function cluster(spec: object): KubeObject {
  return frozen({
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'eu-1' },
    spec: { syncMode: 'Push', ...spec },
  });
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const POLICY = {
  conflictResolution: 'Abort',
  preemption: 'Never',
  priority: 0,
  schedulerName: 'default-scheduler',
};

describe('propagation policies', () => {
  test.each([
    {
      name: 'a minimal policy: schema defaults, and selectors in its own namespace',
      given: policy('PropagationPolicy', {}),
      expected: {
        ...POLICY,
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop' }],
      },
    },
    {
      name: 'a cluster-wide policy leaves selectors as they are',
      given: policy('ClusterPropagationPolicy', { priority: 3 }),
      expected: {
        ...POLICY,
        priority: 3,
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      },
    },
    {
      name: 'an empty strategy is Divided by weight; constraints get field and minimum, never a maximum',
      given: policy('PropagationPolicy', {
        resourceSelectors: [{ apiVersion: 'v1', kind: 'Pod', namespace: 'shop' }],
        placement: {
          replicaScheduling: {},
          spreadConstraints: [{}, { spreadByLabel: 'rack', minGroups: 2 }],
        },
      }),
      expected: {
        ...POLICY,
        resourceSelectors: [{ apiVersion: 'v1', kind: 'Pod', namespace: 'shop' }],
        placement: {
          replicaScheduling: {
            replicaSchedulingType: 'Divided',
            replicaDivisionPreference: 'Weighted',
          },
          spreadConstraints: [
            { spreadByField: 'cluster', minGroups: 1 },
            { spreadByLabel: 'rack', minGroups: 2 },
          ],
        },
      },
    },
    {
      name: 'no strategy stays none: that is Duplicated',
      given: policy('ClusterPropagationPolicy', { placement: {} }),
      expected: {
        ...POLICY,
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
        placement: {},
      },
    },
    {
      name: 'ServiceImport brings its dependencies; failover is graceful',
      given: policy('ClusterPropagationPolicy', {
        resourceSelectors: [
          { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceImport' },
        ],
        failover: { application: { decisionConditions: {} }, cluster: {} },
      }),
      expected: {
        ...POLICY,
        propagateDeps: true,
        resourceSelectors: [
          { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceImport' },
        ],
        failover: {
          application: {
            decisionConditions: { tolerationSeconds: 300 },
            purgeMode: 'Gracefully',
            gracePeriodSeconds: 600,
          },
          cluster: { purgeMode: 'Gracefully' },
        },
      },
    },
  ])('$name', ({ given, expected }) => {
    expect(withDefaults(given)['spec']).toEqual(expected);
  });
});

describe('clusters', () => {
  test('a lone zone moves to zones, NoExecute taints get the time, nine grades are installed', () => {
    const taints = [
      { key: 'a', effect: 'NoExecute' },
      { key: 'b', effect: 'NoSchedule' },
    ];
    const now = '2026-01-31T10:00:00Z';

    const spec = withDefaults(cluster({ zone: 'a', taints }), { now })['spec'] as {
      readonly resourceModels: readonly { readonly ranges: readonly object[] }[];
    };

    expect(spec).toMatchObject({ zones: ['a'], taints: [{ timeAdded: now }, {}] });
    expect(spec).not.toHaveProperty('zone');
    expect(spec.resourceModels).toHaveLength(9);
    expect(spec.resourceModels[3]?.ranges).toEqual([
      { name: 'cpu', min: '4', max: '8' },
      { name: 'memory', min: '32Gi', max: '64Gi' },
    ]);
    expect(spec.resourceModels[8]?.ranges[1]).toEqual({
      name: 'memory',
      min: '1024Gi',
      max: '9223372036854775807',
    });
  });

  test('given grades are sorted and reach from zero to the top', () => {
    const range = (min: number, max: number): object => ({ name: 'cpu', min, max });
    const given = cluster({
      resourceModels: [
        { grade: 2, ranges: [range(2, 4)] },
        { grade: 1, ranges: [range(1, 2)] },
      ],
    });

    expect(withDefaults(given)['spec']).toMatchObject({
      resourceModels: [
        { grade: 1, ranges: [{ name: 'cpu', min: '0', max: 2 }] },
        { grade: 2, ranges: [{ name: 'cpu', min: 2, max: '9223372036854775807' }] },
      ],
    });
  });
});

test('an autoscaler measures CPU, and a given behaviour is filled up', () => {
  const autoscaler = frozen({
    apiVersion: 'autoscaling.karmada.io/v1alpha1',
    kind: 'FederatedHPA',
    metadata: { name: 'web' },
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'web' }, behavior: {} },
  });

  expect(withDefaults(autoscaler)['spec']).toMatchObject({
    minReplicas: 1,
    metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 80 } } }],
    behavior: {
      scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [{}, {}] },
      scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent' }] },
    },
  });
});

test('a document of another kind, and one that does not fit its schema, come back without surprises', () => {
  const other = frozen({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: null,
  });
  const broken = policy('PropagationPolicy', { resourceSelectors: 'all', priority: null });

  expect(withDefaults(other)).toBe(other);
  expect(withDefaults(broken)['spec']).toEqual({ ...POLICY, resourceSelectors: 'all' });
});

test.each(TAKEN.map((document) => [String(document['kind']), document] as const))(
  'defaulting %s twice is defaulting it once',
  (_kind, document) => {
    const once = withDefaults(frozen(document as unknown as KubeObject));

    expect(withDefaults(once)).toEqual(once);
  },
);
