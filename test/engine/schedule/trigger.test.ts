import { describe, expect, test } from '@jest/globals';
import type { Placement } from '../../../lib/api/placement.js';
import {
  gatesFor,
  indexFleet,
  needsScheduling,
  queueOrder,
} from '../../../lib/engine/schedule/index.js';
import {
  aBinding,
  decide,
  describeOutcome,
  DUPLICATED,
  DYNAMIC,
  roomFor,
  rooms,
  targets,
} from './builders.js';

const fleet = indexFleet([
  ...rooms({ a: 9, b: 9 }),
  { ...roomFor('gone', 9), metadata: { name: 'gone', deletionTimestamp: '2026-01-01T00:00:00Z' } },
]);
const gates = gatesFor('karmada');
const applied = (placement: Placement) => JSON.stringify(placement);
const terms = (names: readonly string[]): Placement => ({
  ...DYNAMIC,
  clusterAffinities: names.map((name) => ({ affinityName: name, clusterNames: [name] })),
});

describe('needsScheduling', () => {
  const satisfied = aBinding(4, DYNAMIC, { clusters: targets({ a: 4 }) });
  test.each([
    { name: 'first time', binding: { spec: aBinding(4, DYNAMIC) }, why: 'placement changed' },
    {
      name: 'a satisfied divided workload stays',
      binding: { spec: satisfied, appliedPlacement: applied(DYNAMIC) },
      why: 'satisfied',
    },
    {
      name: 'another strategy',
      binding: { spec: satisfied, appliedPlacement: applied(DUPLICATED) },
      why: 'placement changed',
    },
    {
      name: 'an unreadable annotation is no change',
      binding: { spec: satisfied, appliedPlacement: '{not json' },
      why: 'satisfied',
    },
    {
      name: 'an explicitly empty list is a change',
      binding: {
        spec: { ...satisfied, placement: { ...DYNAMIC, spreadConstraints: [] } },
        appliedPlacement: applied(DYNAMIC),
      },
      why: 'placement changed',
    },
    {
      name: 'other replicas',
      binding: { spec: { ...satisfied, replicas: 5 }, appliedPlacement: applied(DYNAMIC) },
      why: 'replicas changed',
    },
    {
      name: 'Duplicated is looked at each time',
      binding: {
        spec: aBinding(4, DUPLICATED, { clusters: targets({ a: 4 }) }),
        appliedPlacement: applied(DUPLICATED),
      },
      why: 'duplicated',
    },
    {
      name: 'a cluster that leaves',
      binding: {
        spec: { ...satisfied, clusters: targets({ gone: 4 }) },
        appliedPlacement: applied(DYNAMIC),
      },
      why: 'cluster is being deleted',
    },
    {
      name: '137 a rebalancer of the same second',
      binding: {
        spec: { ...satisfied, rescheduleTriggeredAt: '2026-01-01T10:00:05Z' },
        status: { lastScheduledTime: '2026-01-01T10:00:05Z' },
        appliedPlacement: applied(DYNAMIC),
      },
      why: 'satisfied',
    },
    {
      name: 'a rebalancer of the next second',
      binding: {
        spec: { ...satisfied, rescheduleTriggeredAt: '2026-01-01T10:00:06Z' },
        status: { lastScheduledTime: '2026-01-01T10:00:05Z' },
        appliedPlacement: applied(DYNAMIC),
      },
      why: 'reschedule requested',
    },
  ])('$name', ({ binding, why }) => {
    expect(needsScheduling(fleet, binding, gates)).toEqual({ yes: why !== 'satisfied', why });
  });

  test.each([
    { name: '133 another term edited', now: ['x2', 'y'], observed: 'y', yes: false },
    { name: '134 the term in use renamed', now: ['x', 'y2'], observed: 'y', yes: true },
    { name: 'no term in use yet', now: ['x2', 'y'], observed: '', yes: true },
  ])('$name', ({ now, observed, yes }) => {
    const spec = aBinding(4, terms(now), { clusters: targets({ a: 4 }) });
    const status = { schedulerObservingAffinityName: observed };

    expect(
      needsScheduling(fleet, { spec, status, appliedPlacement: applied(terms(['x', 'y'])) }, gates)
        .yes,
    ).toBe(yes);
  });

  test('an assignment that breaks a hint is decided again', () => {
    const uneven = aBinding(4, DYNAMIC, { clusters: targets({ a: 3, b: 1 }) });
    const binding = { spec: uneven, appliedPlacement: applied(DYNAMIC) };

    expect(needsScheduling(fleet, { ...binding, hints: { division: 'even' } }, gates).why).toBe(
      'hints not kept',
    );
    expect(needsScheduling(fleet, { ...binding, hints: { bounds: [{ max: 2 }] } }, gates).why).toBe(
      'hints not kept',
    );
    expect(needsScheduling(fleet, { ...binding, hints: { bounds: [{ max: 3 }] } }, gates).why).toBe(
      'satisfied',
    );
  });
});

describe('affinity terms', () => {
  const placement: Placement = {
    ...DYNAMIC,
    clusterAffinities: [
      { affinityName: 'x', clusterNames: ['nowhere'] },
      { affinityName: 'y', clusterNames: ['a'] },
      { affinityName: 'z', clusterNames: ['b'] },
    ],
  };

  test('128 the first that fits is used', () => {
    const outcome = decide(rooms({ a: 9, b: 9 }), aBinding(4, placement));

    expect(outcome).toMatchObject({
      observedAffinity: 'y',
      clusters: [{ name: 'a', replicas: 4 }],
    });
  });

  test('131 none fits: the first error counts, and the list is emptied', () => {
    const outcome = decide(
      rooms({ c: 9 }),
      aBinding(4, placement, { clusters: targets({ a: 4 }) }),
    );

    expect(outcome.reason).toBe('NoClusterFit');
    expect(outcome.clusters).toEqual([]);
    expect(describeOutcome(outcome)).toBe(
      '0/1 clusters are available: 1 cluster(s) did not match the placement cluster affinity constraint.',
    );
  });
});

describe('queueOrder', () => {
  const named = (name: string, priority?: number) => ({
    spec: aBinding(1, DYNAMIC, {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
      ...(priority !== undefined && { schedulePriority: { priority } }),
    }),
  });
  const order = (on: boolean) =>
    queueOrder([named('b', 5), named('c'), named('d', 9), named('a', 5)], {
      PriorityBasedScheduling: on,
    }).map(({ spec }) => spec.resource.name);

  test('takes the highest priority first, then the name', () => {
    expect(order(true)).toEqual(['d', 'a', 'b', 'c']);
  });

  test('takes the name alone without the gate', () => {
    expect(order(false)).toEqual(['a', 'b', 'c', 'd']);
  });
});
