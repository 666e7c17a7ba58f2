import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Cluster } from '../../../lib/api/cluster.js';
import type { Placement } from '../../../lib/api/placement.js';
import type { ResourceBindingSpec } from '../../../lib/api/resource-binding.js';
import {
  gatesFor,
  indexFleet,
  scheduleBinding,
  verdictsOf,
  type ScheduleOutcome,
} from '../../../lib/engine/schedule/index.js';
import {
  AGGREGATED,
  aBinding,
  DUPLICATED,
  DYNAMIC,
  roomFor,
  spread,
  targets,
  weighted,
  WEIGHTED,
} from './builders.js';

const RUNS = { numRuns: Number(process.env['FLEETWRIGHT_PROPERTY_RUNS'] ?? 150) };
const gates = gatesFor('karmada');

const cluster = fc.record({
  room: fc.integer({ min: 0, max: 30 }),
  region: fc.constantFrom('', 'eu', 'us', 'ap'),
  tier: fc.constantFrom('prod', 'lab'),
  isTainted: fc.boolean(),
});
const fleet = fc.array(cluster, { minLength: 1, maxLength: 16 }).map((list) =>
  list.map(({ room, region, tier, isTainted }, i): Cluster => {
    const taints = isTainted ? [{ key: 'gpu', effect: 'NoSchedule' as const }] : [];
    return roomFor(`c${String(i).padStart(2, '0')}`, room, {
      labels: { tier },
      taints,
      ...(region !== '' && { region }),
    });
  }),
);
const strategy = fc.constantFrom<Placement>(
  DUPLICATED,
  WEIGHTED,
  AGGREGATED,
  DYNAMIC,
  weighted({ c00: 3, c01: 1, c05: 2 }),
);
const bounds = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 3 }))
  .map(([min, more]) => [min, min + more] as const);
const placement = fc
  .record({
    strategy,
    byCluster: fc.option(bounds),
    byRegion: fc.option(bounds),
    isProd: fc.boolean(),
    tolerates: fc.boolean(),
  })
  .map(({ strategy: base, byCluster, byRegion, isProd, tolerates }): Placement => ({
    ...(byCluster === null && byRegion === null
      ? base
      : spread(base, byCluster ?? [1, 9], byRegion ?? undefined)),
    ...(isProd && { clusterAffinity: { labelSelector: { matchLabels: { tier: 'prod' } } } }),
    ...(tolerates && { clusterTolerations: [{ operator: 'Exists' }] }),
  }));
const binding = fc
  .record({
    placement,
    replicas: fc.integer({ min: 0, max: 80 }),
    had: fc.dictionary(
      fc.constantFrom('c00', 'c01', 'c02', 'c03', 'c09', 'left'),
      fc.integer({ min: 0, max: 20 }),
      { maxKeys: 4 },
    ),
    uid: fc.constantFrom('', 'uid-a', 'uid-b'),
    isTriggered: fc.boolean(),
  })
  .map(({ placement: where, replicas, had, uid, isTriggered }): ResourceBindingSpec =>
    aBinding(replicas, where, {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web', uid },
      clusters: targets(had),
      ...(isTriggered && { rescheduleTriggeredAt: '2026-01-02T00:00:00Z' }),
    }),
  );

function decide(clusters: readonly Cluster[], spec: ResourceBindingSpec): ScheduleOutcome {
  return scheduleBinding(
    indexFleet(clusters),
    { spec, status: { lastScheduledTime: '2026-01-01T00:00:00Z' } },
    { gates },
  );
}

function byName(outcome: ScheduleOutcome): ScheduleOutcome {
  return outcome.unordered === true
    ? { ...outcome, clusters: [...outcome.clusters].sort((a, b) => (a.name < b.name ? -1 : 1)) }
    : outcome;
}

function sumOf({ clusters }: Pick<ScheduleOutcome, 'clusters'>): number {
  return clusters.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
}

const isDivided = ({ placement: where }: ResourceBindingSpec): boolean =>
  where?.replicaScheduling?.replicaSchedulingType === 'Divided';

describe('a decision', () => {
  test('gives out exactly the replicas asked for, or all of them to each', () => {
    fc.assert(
      fc.property(fleet, binding, (clusters, spec) => {
        const outcome = decide(clusters, spec);
        fc.pre(outcome.reason === 'Success');

        if (isDivided(spec)) expect(sumOf(outcome)).toBe(spec.replicas);
        else for (const { replicas = 0 } of outcome.clusters) expect(replicas).toBe(spec.replicas);
      }),
      RUNS,
    );
  });

  test('does not depend on the order of the clusters', () => {
    fc.assert(
      fc.property(fleet, binding, (clusters, spec) => {
        expect(byName(decide([...clusters].reverse(), spec))).toEqual(
          byName(decide(clusters, spec)),
        );
      }),
      RUNS,
    );
  });

  test('writes to none of its inputs', () => {
    fc.assert(
      fc.property(fleet, binding, (clusters, spec) => {
        decide(deepFreeze(clusters), deepFreeze(spec));
      }),
      RUNS,
    );
  });

  test('is not moved by a cluster that the filters refuse', () => {
    fc.assert(
      fc.property(fleet, binding, (clusters, spec) => {
        const stranger = {
          ...roomFor('zz', 1000, { region: 'eu', labels: { tier: 'prod' } }),
          status: {},
        };
        const outcome = decide(clusters, spec);
        const other = decide([...clusters, stranger], spec);
        // Only the histogram of "no cluster fits" counts it.
        fc.pre(outcome.reason !== 'NoClusterFit');

        expect(other).toEqual(outcome);
      }),
      RUNS,
    );
  });

  test('never gives a cluster more than it has room for, where capacity counts and the binding is new', () => {
    fc.assert(
      fc.property(fleet, binding, (clusters, spec) => {
        const fresh = { ...spec, clusters: [] };
        const outcome = decide(clusters, fresh);
        fc.pre(
          outcome.reason === 'Success' &&
            (spec.placement?.replicaScheduling === DYNAMIC.replicaScheduling ||
              spec.placement?.replicaScheduling === AGGREGATED.replicaScheduling),
        );

        for (const { name, replicas = 0 } of outcome.clusters) {
          const room = clusters.find(({ metadata }) => metadata.name === name)?.status
            ?.resourceSummary?.allocatable?.['pods'];
          expect(replicas).toBeLessThanOrEqual(Number(room));
        }
      }),
      RUNS,
    );
  });

  test('takes no replica away when a statically divided workload grows', () => {
    const fixed = fc.constantFrom(WEIGHTED, weighted({ c00: 3, c01: 1, c05: 2 }));
    fc.assert(
      fc.property(fleet, fixed, fc.integer({ min: 1, max: 200 }), (clusters, where, replicas) => {
        const before = decide(clusters, aBinding(replicas, where));
        const after = decide(clusters, aBinding(replicas + 1, where));
        fc.pre(before.reason === 'Success');

        for (const { name, replicas: count = 0 } of before.clusters) {
          expect(
            after.clusters.find((one) => one.name === name)?.replicas ?? 0,
          ).toBeGreaterThanOrEqual(count);
        }
      }),
      RUNS,
    );
  });

  test('stays within the bounds of the cluster constraint, where constraints count', () => {
    fc.assert(
      fc.property(fleet, binding, (clusters, spec) => {
        const constraints = spec.placement?.spreadConstraints ?? [];
        const limit =
          constraints.find(({ spreadByField }) => spreadByField === 'cluster')?.maxGroups ??
          Infinity;
        const isRegional = constraints.some(({ spreadByField }) => spreadByField === 'region');
        const isStatic =
          spec.placement?.replicaScheduling?.replicaDivisionPreference === 'Weighted' &&
          spec.placement.replicaScheduling.weightPreference?.dynamicWeight === undefined;
        const outcome = decide(clusters, spec);
        fc.pre(outcome.reason === 'Success' && !isRegional && !isStatic);

        expect(outcome.clusters.length).toBeLessThanOrEqual(limit);
      }),
      RUNS,
    );
  });

  test('is the same with and without an explanation', () => {
    fc.assert(
      fc.property(fleet, binding, (clusters, spec) => {
        const index = indexFleet(clusters);
        const { explanation, ...explained } = scheduleBinding(
          index,
          { spec },
          { gates, explain: true },
        );

        expect(explained).toEqual(scheduleBinding(index, { spec }, { gates }));
        expect(explanation).toBeDefined();
      }),
      RUNS,
    );
  });

  test('comes with a reason for every cluster that is not chosen', () => {
    fc.assert(
      fc.property(fleet, binding, (clusters, spec) => {
        const index = indexFleet(clusters);
        const outcome = decide(clusters, spec);
        const verdicts = verdictsOf(index, spec, outcome.clusters, { affinityName: '', outcome });

        expect(verdicts.map((verdict) => verdict.cluster).sort()).toEqual(
          index.clusters.map(({ name }) => name),
        );
        for (const verdict of verdicts.filter(({ chosen }) => !chosen)) {
          expect(verdict.code).toBeTruthy();
          expect(verdict.message).toBeTruthy();
        }
      }),
      RUNS,
    );
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
