import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Rollout, RolloutWave } from '../../../lib/api/rollout.js';
import type { Cluster } from '../../../lib/api/cluster.js';
import { freezeWaves, type WaveMember } from '../../../lib/engine/rollout/index.js';
import { durationSeconds } from '../../../lib/engine/rollout/duration.js';
import { largestRemainder } from '../../../lib/engine/rollout/largest-remainder.js';

function aRollout(...waves: readonly RolloutWave[]): Rollout {
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { waves: [...waves] },
  };
}

function aMember(name: string, labels: Record<string, string> = {}, spec: object = {}): WaveMember {
  const cluster = {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, labels },
    spec,
  };
  return { name, cluster: cluster as unknown as Cluster };
}

function members(count: number): WaveMember[] {
  return Array.from({ length: count }, (_, index) =>
    aMember(`c${String(index + 1).padStart(3, '0')}`),
  );
}

const named = (rollout: Rollout | undefined, of: readonly WaveMember[]) =>
  Object.fromEntries(freezeWaves(rollout, of).waves.map((wave) => [wave.name, wave.clusters]));
const sizes = (rollout: Rollout, count: number) =>
  freezeWaves(rollout, members(count)).waves.map((wave) => wave.clusters.length);

describe('membership', () => {
  test('without a Rollout all clusters form one wave, sorted, all at once', () => {
    const { waves, diagnostics } = freezeWaves(undefined, [aMember('b'), aMember('a')]);

    expect(waves).toEqual([
      {
        name: 'all',
        clusters: ['a', 'b'],
        maxConcurrent: 2,
        gate: { soakSeconds: 0, deadlineSeconds: 600, maxFailures: 0, approval: false },
      },
    ]);
    expect(diagnostics).toEqual([]);
  });

  test('without clusters there is no wave', () => {
    expect(freezeWaves(undefined, []).waves).toEqual([]);
  });

  test('a cluster that matches two waves belongs to the first', () => {
    const rollout = aRollout(
      { name: 'canary', clusterAffinity: { clusterNames: ['a'] } },
      { name: 'eu', clusterAffinity: { labelSelector: { matchLabels: { region: 'eu' } } } },
    );

    expect(
      named(rollout, [aMember('a', { region: 'eu' }), aMember('b', { region: 'eu' })]),
    ).toEqual({
      canary: ['a'],
      eu: ['b'],
    });
  });

  test('clusters in no wave come last, in a wave "rest", and are all named', () => {
    const rollout = aRollout({ name: 'canary', clusterAffinity: { clusterNames: ['a'] } });
    const { waves, diagnostics } = freezeWaves(rollout, [aMember('c'), aMember('a'), aMember('b')]);

    expect(waves.map((wave) => [wave.name, wave.clusters])).toEqual([
      ['canary', ['a']],
      ['rest', ['b', 'c']],
    ]);
    expect(diagnostics.map((found) => [found.code, found.summary])).toEqual([
      ['WAVE_CLUSTER_UNASSIGNED', 'Clusters b, c belong to no wave and will change last.'],
    ]);
  });

  test('the last wave does not collide with a wave that is named "rest"', () => {
    const rollout = aRollout({ name: 'rest', clusterAffinity: { clusterNames: ['a'] } });

    expect(named(rollout, [aMember('a'), aMember('b')])).toEqual({ rest: ['a'], 'rest-2': ['b'] });
  });

  test('fields and exclusions count as in a placement', () => {
    const rollout = aRollout(
      {
        name: 'eu',
        clusterAffinity: {
          exclude: ['eu-2'],
          fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['eu'] }] },
        },
      },
      { name: 'others' },
    );
    const fleet = [
      aMember('eu-1', {}, { region: 'eu' }),
      aMember('eu-2', {}, { region: 'eu' }),
      aMember('us-1'),
    ];

    expect(named(rollout, fleet)).toEqual({ eu: ['eu-1'], others: ['eu-2', 'us-1'] });
  });

  test('a cluster that left the fleet still belongs to a wave by its name', () => {
    const rollout = aRollout(
      { name: 'gone', clusterAffinity: { clusterNames: ['old'] } },
      { name: 'others' },
    );

    expect(named(rollout, [{ name: 'old' }, aMember('new')])).toEqual({
      gone: ['old'],
      others: ['new'],
    });
  });

  test('a wave that matches nothing is left out with a warning', () => {
    const rollout = aRollout(
      { name: 'canary', clusterAffinity: { clusterNames: ['x'] } },
      { name: 'others' },
    );
    const { waves, diagnostics } = freezeWaves(rollout, [aMember('a')]);

    expect(waves.map((wave) => wave.name)).toEqual(['others']);
    expect(diagnostics.map((found) => found.code)).toEqual(['WAVE_EMPTY']);
  });

  test('two waves of one name are an error', () => {
    const rollout = aRollout(
      { name: 'a', clusterAffinity: { clusterNames: ['c001'] } },
      { name: 'a' },
    );

    expect(freezeWaves(rollout, members(2)).diagnostics).toMatchObject([
      { code: 'FIELD_INVALID', severity: 'error', path: ['spec', 'waves', 1, 'name'] },
    ]);
  });
});

describe('percentages', () => {
  const by = (...percentages: number[]) =>
    aRollout(...percentages.map((percentage, index) => ({ name: `w${index}`, percentage })));

  test('20/30/50 of 100 clusters', () => expect(sizes(by(20, 30, 50), 100)).toEqual([20, 30, 50]));
  test('4 × 25 % of 230 clusters leave no tail', () =>
    expect(sizes(by(25, 25, 25, 25), 230)).toEqual([58, 58, 57, 57]));
  test('a wave for all that are left takes what the percentages leave', () => {
    expect(sizes(aRollout({ name: 'a', percentage: 10 }, { name: 'b' }), 50)).toEqual([5, 45]);
  });
  test('a percentage applies to what earlier waves left', () => {
    const rollout = aRollout(
      { name: 'canary', clusterAffinity: { clusterNames: ['c001', 'c002'] } },
      { name: 'half', percentage: 50 },
      { name: 'others' },
    );
    expect(sizes(rollout, 10)).toEqual([2, 4, 4]);
  });
  test('more than 100 per cent is an error', () => {
    expect(freezeWaves(by(60, 60), members(10)).diagnostics.map((found) => found.code)).toEqual([
      'FIELD_INVALID',
    ]);
  });
});

describe('budgets', () => {
  test.each([
    { name: 'a number', maxConcurrent: 3, clusters: 10, expected: 3 },
    { name: 'a percentage, rounded down', maxConcurrent: '25%', clusters: 10, expected: 2 },
    { name: 'at least one', maxConcurrent: '10%', clusters: 5, expected: 1 },
    { name: 'zero means one', maxConcurrent: 0, clusters: 5, expected: 1 },
    { name: 'not more than there are', maxConcurrent: 50, clusters: 5, expected: 5 },
  ])('maxConcurrent: $name', ({ maxConcurrent, clusters, expected }) => {
    const { waves } = freezeWaves(aRollout({ name: 'all', maxConcurrent }), members(clusters));
    expect(waves[0]?.maxConcurrent).toBe(expected);
  });

  test('gate: soak, deadline, failures and approval', () => {
    const wave = {
      name: 'all',
      soak: '1h30m',
      deadline: '90s',
      maxFailures: '20%',
      approval: true,
    };
    expect(freezeWaves(aRollout(wave), members(11)).waves[0]?.gate).toEqual({
      soakSeconds: 5400,
      deadlineSeconds: 90,
      maxFailures: 2,
      approval: true,
    });
  });

  test('time windows stand in the gate, in UTC unless they name a time zone', () => {
    const wave: RolloutWave = {
      name: 'all',
      windows: [
        { schedule: '0 22 * * 1-5', timeZone: 'Europe/Berlin', duration: '4h' },
        { schedule: '0 0 * * 6', duration: '90m' },
      ],
    };

    expect(freezeWaves(aRollout(wave), members(1)).waves[0]?.gate.windows).toEqual([
      { schedule: '0 22 * * 1-5', timeZone: 'Europe/Berlin', durationSeconds: 14400 },
      { schedule: '0 0 * * 6', timeZone: 'UTC', durationSeconds: 5400 },
    ]);
  });

  test.each([
    ['by name', undefined, ['a', 'b', 'c', 'd']],
    ['by a label, clusters without it last', { label: 'step' }, ['c', 'a', 'd', 'b']],
    ['the smallest first', { capacity: 'smallestFirst' }, ['d', 'b', 'a', 'c']],
    ['the largest first', { capacity: 'largestFirst' }, ['a', 'b', 'd', 'c']],
  ] as const)('clusters of a wave start %s', (_name, order, expected) => {
    const sized = (name: string, cpu?: string, step?: string): WaveMember => {
      const member = aMember(name, step === undefined ? {} : { step });
      const status = cpu === undefined ? {} : { resourceSummary: { allocatable: { cpu } } };
      return { name, cluster: { ...member.cluster, status } as unknown as Cluster };
    };
    const of = [
      sized('d', '500m', '2'),
      sized('c', undefined, '1'),
      sized('b', '4'),
      sized('a', '16', '2'),
    ];
    const wave: RolloutWave = { name: 'all', ...(order !== undefined && { order }) };

    expect(freezeWaves(aRollout(wave), of).waves[0]?.clusters).toEqual(expected);
  });

  test('a Rollout that continues after failures says so at every gate, also of the wave it does not name', () => {
    const rollout = aRollout({ name: 'a', clusterAffinity: { clusterNames: ['c001'] } });
    const continuing = { ...rollout, spec: { ...rollout.spec, onFailure: 'continue' as const } };

    expect(freezeWaves(continuing, members(2)).waves.map(({ gate }) => gate.onFailure)).toEqual([
      'continue',
      'continue',
    ]);
    expect(freezeWaves(rollout, members(2)).waves.some(({ gate }) => 'onFailure' in gate)).toBe(
      false,
    );
  });

  test.each([
    ['', undefined],
    ['5', undefined],
    ['0.5s', 1],
    ['1.5h', 5400],
  ])('duration %j is %j seconds', (text, expected) => expect(durationSeconds(text)).toBe(expected));
});

describe('laws', () => {
  const someWave = fc.record(
    {
      percentage: fc.integer({ min: 1, max: 60 }),
      clusterAffinity: fc.constantFrom<RolloutWave['clusterAffinity']>(
        { clusterNames: ['c001', 'c003'] },
        { exclude: ['c002'] },
      ),
    },
    { requiredKeys: [] },
  );

  test('every cluster is in exactly one wave, whatever the order of the input', () => {
    fc.assert(
      fc.property(
        fc.array(someWave, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 30 }),
        (specs, count) => {
          const rollout = aRollout(...specs.map((spec, index) => ({ ...spec, name: `w${index}` })));
          const of = members(count);
          const frozen = freezeWaves(rollout, of);

          expect(frozen.waves.flatMap((wave) => wave.clusters).sort()).toEqual(
            of.map((member) => member.name),
          );
          expect(freezeWaves(rollout, [...of].reverse())).toEqual(frozen);
        },
      ),
    );
  });

  test('largest remainder: shares add up, and none is a whole seat away from its quota', () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.array(fc.nat(100), { minLength: 1, maxLength: 8 }),
        (total, weights) => {
          const shares = largestRemainder(total, weights);
          const weightSum = weights.reduce((a, b) => a + b, 0);

          expect(shares.reduce((a, b) => a + b, 0)).toBe(weightSum === 0 ? 0 : total);
          shares.forEach((share, index) => {
            if (weightSum > 0)
              expect(Math.abs(share * weightSum - total * (weights[index] ?? 0))).toBeLessThan(
                weightSum,
              );
          });
        },
      ),
    );
  });
});
