import { describe, expect, test } from '@jest/globals';
import type { AggregatedStatusItem } from '../../../../lib/engine/interpret/index.js';
import { interpreterFor } from '../../../../lib/engine/interpret/index.js';
import { divideWorkers } from '../../../../lib/engine/interpret/thirdparty/ray/divide-workers.js';
import type { KubeObject } from '../builders.js';
import { anObject } from '../builders.js';

function aKind(
  apiVersion: string,
  kind: string,
  spec: object,
  rest: { metadata?: object; status?: object } = {},
): KubeObject {
  return { ...anObject(kind, spec, rest), apiVersion };
}

function aggregate(
  template: KubeObject,
  items: readonly AggregatedStatusItem[] | undefined,
): unknown {
  return interpreterFor(template).aggregateStatus?.(template, items, '2026-03-01T00:00:00Z')[
    'status'
  ];
}

describe('RayService workers', () => {
  test.each([
    [10, [1, 2, 4], [1, 3, 6]],
    [8, [0, 0, 0], [3, 3, 2]],
    [0, [2, 1], [0, 0]],
    [5, [9], [5]],
    [2, [1, 1, 1, 0], [1, 1, 0, 0]],
  ])('%i over %j', (workers, current, shares) => {
    expect(divideWorkers(workers, current)).toEqual(shares);
  });
});

test('FlinkDeployment: enough task managers for the parallelism, and a job manager', () => {
  const spec = {
    job: { parallelism: 7 },
    flinkConfiguration: { 'taskmanager.numberOfTaskSlots': '2' },
  };
  const flink = aKind('flink.apache.org/v1beta1', 'FlinkDeployment', spec);

  expect(interpreterFor(flink).interpretReplica?.(flink)).toMatchObject({
    replicas: 5,
    requirements: { namespace: 'shop' },
  });
});

test.each([
  ['Python', { cores: 2, memory: '2g' }, '2867.200000Mi'],
  ['Python', { memory: '512m' }, '896.000000Mi'],
  ['Scala', { memoryOverhead: '100m' }, '1124.000000Mi'],
  ['Scala', { memory: '8g' }, '9011.200000Mi'],
])('SparkApplication in %s with %j requests %s', (type, driver, memory) => {
  const spark = aKind('sparkoperator.k8s.io/v1beta2', 'SparkApplication', { type, driver });
  const [component] = interpreterFor(spark).interpretComponent?.(spark) ?? [];

  expect(component).toMatchObject({
    name: 'driver',
    replicaRequirements: { resourceRequest: { memory } },
  });
});

test('CloneSet: a member without a report holds the generation back', () => {
  const template = aKind(
    'apps.kruise.io/v1alpha1',
    'CloneSet',
    {},
    { metadata: { generation: 4 }, status: { observedGeneration: 3 } },
  );
  const status = {
    replicas: 2,
    generation: 7,
    observedGeneration: 7,
    resourceTemplateGeneration: 4,
  };

  expect(aggregate(template, [{ clusterName: 'm1', status }, { clusterName: 'm2' }])).toMatchObject(
    {
      replicas: 2,
      observedGeneration: 3,
      updateRevision: '',
    },
  );
});

test('BroadcastJob: a member without an outcome has that of the one before', () => {
  const template = aKind('apps.kruise.io/v1alpha1', 'BroadcastJob', {});
  const complete = { conditions: [{ type: 'Complete', status: 'True' }] };

  expect(
    aggregate(template, [
      { clusterName: 'm1', status: complete },
      { clusterName: 'm2', status: { active: 1 } },
    ]),
  ).toMatchObject({
    conditions: [{ type: 'Completed' }],
  });
});

test('HelmRelease: failures are added to what is there already', () => {
  const template = aKind(
    'helm.toolkit.fluxcd.io/v2beta1',
    'HelmRelease',
    {},
    { status: { failures: 5 } },
  );
  const items = [
    { clusterName: 'm1', status: { failures: 1 } },
    { clusterName: 'm2', status: { failures: 2 } },
  ];

  expect(aggregate(template, items)).toMatchObject({ failures: 8 });
});

test('Volcano Job: counters add up, the longest duration counts', () => {
  const items = [
    {
      clusterName: 'm1',
      status: {
        running: 2,
        minAvailable: 2,
        runningDuration: '1m30s',
        state: { phase: 'Running' },
      },
    },
    {
      clusterName: 'm2',
      status: { running: 1, minAvailable: 1, runningDuration: '45s', state: { phase: 'Running' } },
    },
  ];

  expect(aggregate(aKind('batch.volcano.sh/v1alpha1', 'Job', {}), items)).toEqual({
    minAvailable: 3,
    running: 3,
    runningDuration: '1m30s',
  });
});

describe('what a script cannot answer', () => {
  const spark = aKind('sparkoperator.k8s.io/v1beta2', 'SparkApplication', {});
  const kyverno = aKind('kyverno.io/v1', 'Policy', {});

  test.each<[name: string, ask: () => unknown, message: string]>([
    [
      'an OCIRepository without a service account',
      () => {
        const repository = aKind('source.toolkit.fluxcd.io/v1beta2', 'OCIRepository', {});
        return interpreterFor(repository).interpretDependency?.(repository);
      },
      'serviceAccountName',
    ],
    [
      'a Spark state that is not known, of two members',
      () =>
        aggregate(spark, [
          { clusterName: 'm1', status: { applicationState: { state: 'PENDING_SUBMISSION' } } },
          { clusterName: 'm2', status: {} },
        ]),
      'PENDING_SUBMISSION',
    ],
    [
      'a rule count with a missing entry',
      () => aggregate(kyverno, [{ clusterName: 'm1', status: { rulecount: { validate: 1 } } }]),
      'generate',
    ],
    [
      'a SidecarSet without an item list',
      () => aggregate(aKind('apps.kruise.io/v1alpha1', 'SidecarSet', {}), undefined),
      'SidecarSet',
    ],
    [
      'a CloneSet without replicas',
      () => {
        const cloneSet = aKind('apps.kruise.io/v1alpha1', 'CloneSet', {});
        return interpreterFor(cloneSet).interpretReplica?.(cloneSet);
      },
      'spec.replicas',
    ],
  ])('%s is an error', (_name, ask, message) => {
    expect(ask).toThrow(message);
  });
});
