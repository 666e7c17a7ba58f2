import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Cluster, Taint } from '../../../lib/api/cluster.js';
import type { Placement } from '../../../lib/api/placement.js';
import type {
  GracefulEvictionTask,
  ResourceBindingSpec,
} from '../../../lib/api/resource-binding.js';
import {
  evictUntolerated,
  remainingTasks,
  tolerationOfTaints,
} from '../../../lib/engine/failover/index.js';

const NOW = '2026-03-01T12:00:00Z';
const GATES = { Failover: true, noExecuteTaintEviction: true };

const spec: ResourceBindingSpec = {
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
  replicas: 5,
  clusters: [
    { name: 'm1', replicas: 3 },
    { name: 'm2', replicas: 2 },
  ],
};

function aTaint(change: Partial<Taint> = {}): Taint {
  return { key: 'drain', effect: 'NoExecute', timeAdded: '2026-03-01T11:50:00Z', ...change };
}

function tainted(name: string, ...taints: Taint[]): [string, Cluster] {
  const metadata = { name };
  return [
    name,
    {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata,
      spec: { syncMode: 'Push', taints },
    } as Cluster,
  ];
}

describe('a NoExecute taint', () => {
  const bear = (
    clusterTolerations: Placement['clusterTolerations'],
    ...taints: Taint[]
  ): string => {
    const found = tolerationOfTaints(
      taints,
      clusterTolerations === undefined ? {} : { clusterTolerations },
      NOW,
    );
    return found.kind === 'until' ? `until ${found.seconds}` : found.kind;
  };

  test.each([
    { name: 'evicts when nothing tolerates it', tolerations: [], taints: [aTaint()], got: 'evict' },
    {
      name: 'of another effect evicts nobody',
      tolerations: [],
      taints: [aTaint({ effect: 'NoSchedule' })],
      got: 'forever',
    },
    {
      name: 'is borne without a limit',
      tolerations: [{ operator: 'Exists' }],
      taints: [aTaint()],
      got: 'forever',
    },
    {
      name: 'is borne until its time is over',
      tolerations: [{ operator: 'Exists', tolerationSeconds: 900 }],
      taints: [aTaint()],
      got: 'until 300',
    },
    {
      name: 'evicts when its time is over to the second',
      tolerations: [{ operator: 'Exists', tolerationSeconds: 600 }],
      taints: [aTaint()],
      got: 'evict',
    },
    {
      name: 'without a time has no deadline',
      tolerations: [{ operator: 'Exists', tolerationSeconds: 1 }],
      taints: [{ key: 'drain', effect: 'NoExecute' } satisfies Taint],
      got: 'forever',
    },
    {
      name: 'counts by the first toleration that covers it',
      tolerations: [
        { key: 'drain', operator: 'Exists' },
        { operator: 'Exists', tolerationSeconds: 1 },
      ],
      taints: [aTaint()],
      got: 'forever',
    },
    {
      name: 'has the earliest deadline of several',
      tolerations: [
        { key: 'drain', operator: 'Exists', tolerationSeconds: 3600 },
        { key: 'slow', operator: 'Exists', tolerationSeconds: 900 },
      ],
      taints: [aTaint(), aTaint({ key: 'slow' })],
      got: 'until 300',
    },
  ])('$name', ({ tolerations, taints, got }) => {
    expect(bear(tolerations, ...taints)).toBe(got);
  });
});

describe('a binding', () => {
  const clusters = new Map([tainted('m1', aTaint()), tainted('m2')]);

  test('leaves the cluster, and a task remembers it', () => {
    const { spec: left, leaving } = evictUntolerated(spec, {}, clusters, NOW, GATES);

    expect(left.clusters).toEqual([{ name: 'm2', replicas: 2 }]);
    expect(left.gracefulEvictionTasks).toEqual([
      {
        fromCluster: 'm1',
        replicas: 3,
        producer: 'TaintManager',
        reason: 'TaintUntolerated',
        purgeMode: 'Gracefully',
        creationTimestamp: NOW,
      },
    ]);
    expect(leaving.map(({ cluster, reason }) => `${cluster}: ${reason}`)).toEqual([
      'm1: taint drain:NoExecute is not tolerated',
    ]);
  });

  test.each([
    ['Failover', { ...GATES, Failover: false }],
    ['noExecuteTaintEviction', { ...GATES, noExecuteTaintEviction: false }],
  ])('stays with %s off', (_name, gates) => {
    expect(evictUntolerated(spec, {}, clusters, NOW, gates).spec).toBe(spec);
  });

  test('that was never scheduled stays', () => {
    expect(evictUntolerated(spec, undefined, clusters, NOW, GATES).spec).toBe(spec);
  });

  test('keeps the task it has', () => {
    const task: GracefulEvictionTask = {
      fromCluster: 'm1',
      producer: 'someone',
      reason: 'ApplicationFailure',
    };

    const { spec: left } = evictUntolerated(
      { ...spec, gracefulEvictionTasks: [task] },
      {},
      clusters,
      NOW,
      GATES,
    );

    expect(left.gracefulEvictionTasks).toEqual([task]);
  });

  test('tells what it will have to leave', () => {
    const placement: Placement = {
      clusterTolerations: [{ operator: 'Exists', tolerationSeconds: 900 }],
    };

    const { spec: same, pending } = evictUntolerated(spec, placement, clusters, NOW, GATES);

    expect(same).toBe(spec);
    expect(pending[0]?.reason).toBe('taint drain:NoExecute is tolerated for another 300 s');
  });

  test('purges as its policy says', () => {
    const direct = { ...spec, failover: { cluster: { purgeMode: 'Directly' as const } } };

    const { spec: left } = evictUntolerated(direct, {}, clusters, NOW, GATES);

    expect(left.gracefulEvictionTasks?.[0]?.purgeMode).toBe('Directly');
  });

  test('loses no replica on the way: targets and tasks hold them all', () => {
    const target = fc.record({ replicas: fc.integer({ min: 0, max: 9 }), isTainted: fc.boolean() });
    fc.assert(
      fc.property(fc.array(target, { maxLength: 6 }), (targets) => {
        const named = targets.map((one, i) => ({ ...one, name: `c${i}` }));
        const fleet = new Map(
          named.map((one) => tainted(one.name, ...(one.isTainted ? [aTaint()] : []))),
        );
        const before = named.map(({ name, replicas }) => ({ name, replicas }));

        const { spec: left } = evictUntolerated(
          { ...spec, clusters: before },
          {},
          fleet,
          NOW,
          GATES,
        );

        const sum = (list: readonly { replicas?: number }[]): number =>
          list.reduce((total, { replicas = 0 }) => total + replicas, 0);
        expect(sum(left.clusters ?? []) + sum(left.gracefulEvictionTasks ?? [])).toBe(sum(before));
        expect(
          (left.clusters ?? []).some(({ name }) => fleet.get(name)?.spec?.taints?.length),
        ).toBe(false);
      }),
    );
  });
});

describe('an eviction task', () => {
  const task = { fromCluster: 'm1', producer: 'TaintManager', reason: 'TaintUntolerated' };
  const at = (minutesAgo: number): string =>
    new Date(Date.parse(NOW) - minutesAgo * 60_000).toISOString();
  const healthy = { clusterName: 'm2', health: 'Healthy' as const };

  test.each([
    {
      name: 'seen for the first time is stamped and kept',
      change: {},
      status: [healthy],
      kept: true,
    },
    {
      name: 'is over when all targets are healthy',
      change: { creationTimestamp: at(1) },
      status: [healthy],
      kept: false,
    },
    {
      name: 'stays while one is not',
      change: { creationTimestamp: at(1) },
      status: [],
      kept: true,
    },
    {
      name: 'is over after ten minutes',
      change: { creationTimestamp: at(11) },
      status: [],
      kept: false,
    },
    {
      name: 'is over after a period of its own',
      change: { creationTimestamp: at(2), gracePeriodSeconds: 60 },
      status: [],
      kept: false,
    },
    {
      name: 'stays for as long as a person wants',
      change: { creationTimestamp: at(99), suppressDeletion: true },
      status: [healthy],
      kept: true,
    },
    {
      name: 'is over when a person says so',
      change: { creationTimestamp: at(1), suppressDeletion: false },
      status: [],
      kept: false,
    },
  ])('$name', ({ change, status, kept }) => {
    const got = remainingTasks({
      tasks: [{ ...task, ...change }],
      clusters: [{ name: 'm2' }],
      aggregatedStatus: status,
      hasScheduled: true,
      now: NOW,
    });

    expect(got.kept).toHaveLength(kept ? 1 : 0);
    expect(got.evictedClusters).toEqual(kept ? [] : ['m1']);
  });

  test('is not over before the scheduler has seen the binding', () => {
    const { kept, retryAfterSeconds } = remainingTasks({
      tasks: [{ ...task, creationTimestamp: at(4) }],
      clusters: [{ name: 'm2' }],
      aggregatedStatus: [healthy],
      hasScheduled: false,
      now: NOW,
    });

    expect(kept).toHaveLength(1);
    expect(retryAfterSeconds).toBe(360);
  });
});
