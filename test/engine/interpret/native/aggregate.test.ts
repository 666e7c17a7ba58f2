import { describe, expect, test } from '@jest/globals';
import type { AggregatedStatusItem } from '../../../../lib/engine/interpret/index.js';
import { interpreterFor } from '../../../../lib/engine/interpret/index.js';
import { anObject } from '../builders.js';

function aggregate(
  object: ReturnType<typeof anObject>,
  items: readonly AggregatedStatusItem[] | undefined,
): unknown {
  return interpreterFor(object).aggregateStatus?.(object, items, '2026-03-01T00:00:00Z')['status'];
}

function item(clusterName: string, status?: unknown): AggregatedStatusItem {
  return { clusterName, ...(status !== undefined && { status }) };
}

describe('Deployment', () => {
  const template = anObject(
    'Deployment',
    {},
    { metadata: { generation: 4 }, status: { observedGeneration: 3 } },
  );
  const m1 = item('m1', {
    replicas: 2,
    readyReplicas: 2,
    updatedReplicas: 2,
    availableReplicas: 2,
    generation: 7,
    observedGeneration: 7,
    resourceTemplateGeneration: 4,
  });
  const m2 = {
    replicas: 3,
    readyReplicas: 1,
    updatedReplicas: 3,
    availableReplicas: 1,
    unavailableReplicas: 2,
    generation: 3,
    observedGeneration: 3,
    resourceTemplateGeneration: 4,
  };
  const sums = {
    replicas: 5,
    readyReplicas: 3,
    updatedReplicas: 5,
    availableReplicas: 3,
    unavailableReplicas: 2,
  };

  test('sums up, and has observed what every cluster has', () => {
    expect(aggregate(template, [m1, item('m2', m2)])).toEqual({ ...sums, observedGeneration: 4 });
  });

  test('keeps the old generation while one cluster still has the old template', () => {
    const behind = item('m2', { ...m2, resourceTemplateGeneration: 3 });

    expect(aggregate(template, [m1, behind])).toEqual({ ...sums, observedGeneration: 3 });
  });

  test('a cluster without a report holds the generation back', () => {
    expect(aggregate(template, [m1, item('m2')])).toMatchObject({
      replicas: 2,
      observedGeneration: 3,
    });
  });

  test('with no cluster at all the generation jumps', () => {
    expect(aggregate(template, [])).toEqual({ observedGeneration: 4 });
  });

  test('other status fields stay', () => {
    const conditions = [{ type: 'Available' }];
    const old = anObject('Deployment', {}, { status: { conditions } });

    expect(aggregate(old, [m1])).toMatchObject({ conditions, replicas: 2 });
  });
});

test("a StatefulSet's generation does not advance, since its members do not report it", () => {
  const template = anObject(
    'StatefulSet',
    {},
    { metadata: { generation: 2 }, status: { observedGeneration: 1 } },
  );
  const status = { replicas: 1, generation: 2, resourceTemplateGeneration: 2 };

  expect(aggregate(template, [item('m1', status)])).toMatchObject({
    replicas: 1,
    observedGeneration: 1,
  });
});

describe('Job', () => {
  const done = (type: string, rest: object = {}): object => ({
    conditions: [{ type, status: 'True' }],
    ...rest,
  });

  test('fails when one cluster fails, and names it', () => {
    const items = [
      item('m1', done('Complete', { succeeded: 3 })),
      item('m2', done('Failed', { succeeded: 1, failed: 1 })),
    ];

    expect(aggregate(anObject('Job', {}), items)).toMatchObject({
      succeeded: 4,
      failed: 1,
      conditions: [
        {
          type: 'Failed',
          reason: 'JobFailed',
          message: 'Job executed failed in member clusters m2',
        },
      ],
    });
  });

  test('a finished Job is never touched again', () => {
    const finished = anObject('Job', {}, { status: done('Failed') });

    expect(aggregate(finished, [item('m1', done('Complete'))])).toBe(finished['status']);
  });

  test('has a start when every cluster has one: the earliest, and the latest end', () => {
    const m1 = item('m1', {
      startTime: '2026-01-01T10:00:00Z',
      completionTime: '2026-01-01T10:20:00Z',
    });
    const m2 = item('m2', {
      startTime: '2026-01-01T10:05:00Z',
      completionTime: '2026-01-01T10:25:00Z',
    });

    expect(aggregate(anObject('Job', {}), [m1, item('m2')])).toEqual({});
    expect(aggregate(anObject('Job', {}), [m1, m2])).toEqual({
      startTime: '2026-01-01T10:00:00Z',
      completionTime: '2026-01-01T10:25:00Z',
    });
  });
});

test.each([
  ['Pod', ['Running', 'Succeeded'], 'Running'],
  ['Pod', ['Running', undefined], 'Pending'],
  ['Pod', ['Failed', undefined], 'Failed'],
  ['PersistentVolumeClaim', ['Bound', 'Pending'], 'Pending'],
  ['PersistentVolumeClaim', ['Pending', 'Lost'], 'Lost'],
  ['PersistentVolumeClaim', ['Bound', undefined], 'Bound'],
  ['PersistentVolumeClaim', [], 'Bound'],
  ['PersistentVolume', ['Bound', undefined], 'Pending'],
])('%s with members %j is %s', (kind, phases, phase) => {
  const items = phases.map((p, i) => item(`m${i}`, p === undefined ? undefined : { phase: p }));

  expect(aggregate(anObject(kind, {}), items)).toHaveProperty('phase', phase);
});

test('load balancers are merged, hostnames first', () => {
  const status = (...ingress: object[]): object => ({ loadBalancer: { ingress } });
  const service = anObject('Service', { type: 'LoadBalancer' });
  const items = [
    item('m1', status({ ip: '10.0.0.2' }, { hostname: 'lb.b' })),
    item('m2', status({ ip: '10.0.0.10' }, { hostname: 'lb.a' }, { ip: '10.0.0.2' })),
  ];

  expect(aggregate(service, items)).toEqual(
    status({ hostname: 'lb.a' }, { hostname: 'lb.b' }, { ip: '10.0.0.10' }, { ip: '10.0.0.2' }),
  );
  expect(aggregate(anObject('Service', { type: 'ClusterIP' }), items)).toBeUndefined();
});

test('ports of one address are united', () => {
  const status = (...ports: object[]): object => ({
    loadBalancer: { ingress: [{ ip: '1.1.1.1', ports }] },
  });
  const http = { port: 80, protocol: 'TCP' };
  const https = { port: 443, protocol: 'TCP' };

  expect(
    aggregate(anObject('Ingress', {}), [
      item('m1', status(https)),
      item('m2', status(http, https)),
    ]),
  ).toEqual(status(http, https));
});

test('budgets add up and say where pods are disrupted', () => {
  const m1 = {
    currentHealthy: 2,
    desiredHealthy: 1,
    disruptionsAllowed: 1,
    expectedPods: 2,
    disruptedPods: { p: 't' },
  };
  const m2 = { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 1 };

  expect(aggregate(anObject('PodDisruptionBudget', {}), [item('m1', m1), item('m2', m2)])).toEqual({
    currentHealthy: 3,
    desiredHealthy: 2,
    disruptionsAllowed: 1,
    expectedPods: 3,
    disruptedPods: { 'm1/p': 't' },
  });
});

test('active runs are concatenated, the latest schedule counts', () => {
  const m1 = { active: [{ name: 'a' }], lastScheduleTime: '2026-01-01T10:00:00Z' };
  const m2 = { active: [{ name: 'b' }], lastScheduleTime: '2026-01-01T11:00:00Z' };

  expect(aggregate(anObject('CronJob', {}), [item('m1', m1), item('m2', m2)])).toEqual({
    active: [{ name: 'a' }, { name: 'b' }],
    lastScheduleTime: '2026-01-01T11:00:00Z',
  });
});
