import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Placement } from '../../../lib/api/placement.js';
import { plan } from '../../../lib/engine/index.js';
import type { Profile } from '../../../lib/engine/input.js';
import type { Plan } from '../../../lib/engine/plan.js';
import { gatesFor, indexFleet, scheduleBinding } from '../../../lib/engine/schedule/index.js';
import { standardTools } from '../../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../../builders.js';
import { aBinding, DYNAMIC, roomFor } from './builders.js';

const RUNS = { numRuns: Number(process.env['FLEETWRIGHT_PROPERTY_RUNS'] ?? 500) };
const spread = (minGroups: number, field = 'region'): Placement['spreadConstraints'] => [
  { spreadByField: field as 'region', minGroups, maxGroups: 9 },
  ...(field === 'region'
    ? [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 99 }]
    : []),
];

/** A large region and a small one, to which division by room gives nothing. */
const FLEET = [
  aCluster('eu-1', { region: 'eu', cpu: 400 }),
  aCluster('eu-2', { region: 'eu', cpu: 400 }),
  aCluster('us-1', { region: 'us', cpu: 1 }),
];

function planned(
  replicas: number,
  profile: Profile,
  options: {
    minGroups?: number;
    annotations?: Record<string, string>;
    clusters?: typeof FLEET;
  } = {},
): Plan {
  const { minGroups = 2, annotations, clusters = FLEET } = options;
  const placement = { ...DYNAMIC, spreadConstraints: spread(minGroups) };
  const policy = aPolicy('web', placement);
  const metadata = { ...policy.metadata, ...(annotations !== undefined && { annotations }) };
  const documents = [aDeployment('web', replicas), { ...policy, metadata }];
  return plan(anInput(documents, clusters, { profile }), standardTools());
}

function counts({ bindings }: Plan): Record<string, number | undefined> {
  return Object.fromEntries(
    (bindings[0]?.assignments ?? []).map(({ cluster, replicas }) => [cluster, replicas]),
  );
}

function unmet({ diagnostics }: Plan): unknown {
  return diagnostics
    .filter(({ code }) => code === 'PLACEMENT_SPREAD_UNMET')
    .map(({ severity, summary }) => `${severity}: ${summary}`);
}

describe('minGroups after the division', () => {
  test('in the default profile a small region gets one replica, from the cluster with most (of two, the first by name)', () => {
    const result = planned(4, 'default');

    expect(counts(result)).toEqual({ 'eu-1': 1, 'eu-2': 2, 'us-1': 1 });
    expect(result.diagnostics).toEqual([]);
  });

  test('in the profile of Karmada division stays as it is, and the plan says what came of it', () => {
    const result = planned(4, 'karmada');

    expect(counts(result)).toEqual({ 'eu-1': 2, 'eu-2': 2 });
    expect(unmet(result)).toEqual([
      'warning: Deployment shop/web: the placement wants 2 regions, and after the division 1 region holds all 4 replicas: eu.',
    ]);
    expect(result.bindings[0]?.verdicts.find(({ cluster }) => cluster === 'us-1')).toMatchObject({
      code: 'NoReplicas',
      message: 'fits, but no replica was left for it',
    });
  });

  test('fewer replicas than regions cannot keep it: a warning with the numbers', () => {
    const result = planned(1, 'default');

    expect(unmet(result)).toEqual([
      'warning: Deployment shop/web: the placement wants 2 regions, and after the division 1 region holds all 1 replica: eu.',
    ]);
    expect(result.applicable).toBe(true);
  });

  test('a region without room cannot keep it: an error, or a warning where the spread is soft', () => {
    const clusters = [...FLEET.slice(0, 2), aCluster('us-1', { region: 'us', cpu: 0 })];
    const annotations = { 'fleetwright.dev/spread': 'soft' };

    expect(unmet(planned(4, 'default', { clusters }))).toEqual([
      'error: Deployment shop/web: the placement wants 2 regions, and after the division 1 region holds all 4 replicas: eu.',
    ]);
    expect(unmet(planned(4, 'default', { clusters, annotations }))).toEqual([
      expect.stringMatching(/^warning: /),
    ]);
  });

  test('too few regions to choose from: the numbers and which there are', () => {
    expect(unmet(planned(4, 'default', { minGroups: 3 }))).toEqual([
      expect.stringContaining(
        'The region constraint wants 3, and clusters that fit make 2 (eu, us).',
      ),
    ]);
  });

  test('what was selected and got nothing is told from what constraints left out', () => {
    const clusters = [...FLEET, aCluster('ap-1', { region: 'ap', cpu: 100 })];
    const policy = aPolicy('web', {
      ...DYNAMIC,
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 3 }],
    });
    const input = anInput([aDeployment('web', 1), policy], clusters, { profile: 'karmada' });
    const { bindings } = plan(input, standardTools());

    expect(bindings[0]?.verdicts.map(({ cluster, code }) => [cluster, code])).toEqual([
      ['eu-2', 'DynamicWeight'],
      ['ap-1', 'NoReplicas'],
      ['eu-1', 'NoReplicas'],
      ['us-1', 'NotSelected'],
    ]);
  });
});

describe('kept groups', () => {
  const rooms = fc.array(
    fc.record({ room: fc.integer({ min: 0, max: 40 }), region: fc.constantFrom('a', 'b', 'c') }),
    { minLength: 1, maxLength: 8 },
  );
  const wish = fc.record({
    replicas: fc.integer({ min: 1, max: 30 }),
    min: fc.integer({ min: 2, max: 3 }),
    field: fc.constantFrom('region', 'cluster'),
    preference: fc.constantFrom('Weighted', 'Aggregated'),
  });

  test('are as many as replicas and room allow; no replica is lost, and nobody gets more than fits', () => {
    fc.assert(
      fc.property(rooms, wish, (traits, { replicas, min, field, preference }) => {
        const clusters = traits.map(({ room, region }, i) => roomFor(`c-${i}`, room, { region }));
        const fleet = indexFleet(clusters);
        const replicaScheduling =
          preference === 'Weighted'
            ? DYNAMIC.replicaScheduling
            : { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };
        const placement = { replicaScheduling, spreadConstraints: spread(min, field) } as Placement;
        const spec = aBinding(replicas, placement);
        const decide = (profile: Profile) =>
          scheduleBinding(fleet, { spec }, { gates: gatesFor(profile), explain: true });
        const [before, after] = [decide('karmada'), decide('default')];
        expect(after.reason).toBe(before.reason);
        if (after.reason !== 'Success') return;
        const groupOf = (name: string): string =>
          field === 'cluster' ? name : (traits[Number(name.slice(2))]?.region ?? '');
        const roomOf = (name: string): number => traits[Number(name.slice(2))]?.room ?? 0;
        const possible = new Set(
          (after.explanation?.selected ?? []).filter((name) => roomOf(name) > 0).map(groupOf),
        );
        const held = new Set(after.clusters.map(({ name }) => groupOf(name)));

        expect(after.clusters.reduce((sum, c) => sum + (c.replicas ?? 0), 0)).toBe(replicas);
        expect(after.clusters.every((c) => (c.replicas ?? 0) > 0)).toBe(true);
        expect(after.clusters.every((c) => (c.replicas ?? 0) <= roomOf(c.name))).toBe(true);
        expect(held.size).toBeGreaterThanOrEqual(Math.min(min, replicas, possible.size));
        if (new Set(before.clusters.map(({ name }) => groupOf(name))).size >= min)
          expect(after.clusters).toEqual(before.clusters);
      }),
      RUNS,
    );
  });
});
