import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundShares, type BoundedParty } from '../../../lib/engine/schedule/beyond/bounds.js';
import {
  debtFindings,
  indexFleet,
  parseHints,
  verdictsOf,
} from '../../../lib/engine/schedule/index.js';
import {
  AGGREGATED,
  aBinding,
  decide,
  describeOutcome,
  DUPLICATED,
  DYNAMIC,
  roomFor,
  rooms,
  spread,
  targets,
  unready,
  weighted,
} from './builders.js';

const RUNS = { numRuns: Number(process.env['FLEETWRIGHT_PROPERTY_RUNS'] ?? 300) };

describe('even division', () => {
  test.each([
    {
      name: '9 over 3, whatever their room',
      room: { a: 90, b: 9, c: 9 },
      n: 9,
      placement: DYNAMIC,
      want: 'a 3, b 3, c 3',
    },
    { name: '2 over 2 zones', room: { a: 90, b: 2 }, n: 2, placement: DYNAMIC, want: 'a 1, b 1' },
    {
      name: 'it honours spread constraints',
      room: { a: 9, b: 9, c: 8 },
      n: 6,
      placement: spread(weighted({ a: 5 }), [1, 2]),
      want: 'a 3, b 3',
    },
    {
      name: 'nothing to divide',
      room: { a: 9, b: 9 },
      n: 2,
      placement: DUPLICATED,
      want: 'a 2, b 2',
    },
  ])('$name', ({ room, n, placement, want }) => {
    expect(
      describeOutcome(decide(rooms(room), aBinding(n, placement), { hints: { division: 'even' } })),
    ).toBe(want);
  });
});

describe('replica bounds', () => {
  test.each([
    { name: 'a maximum', bounds: [{ max: 4 }], n: 9, want: 'a 4, b 3, c 2' },
    { name: 'a minimum', bounds: [{ min: 2 }], n: 9, want: 'a 5, b 2, c 2' },
    {
      name: 'for one cluster',
      bounds: [{ targetCluster: { clusterNames: ['a'] }, max: 1 }],
      n: 9,
      want: 'a 1, b 5, c 3',
    },
    { name: 'that hold already', bounds: [{ min: 1, max: 6 }], n: 9, want: 'a 6, b 2, c 1' },
    {
      name: 'too much asked',
      bounds: [{ min: 4 }],
      n: 9,
      want: 'failed to assign replicas: the minimum replicas of 3 clusters are 12, more than 9',
    },
    {
      name: 'too little allowed',
      bounds: [{ max: 2 }],
      n: 9,
      want: 'failed to assign replicas: the clusters may hold 6 replicas together, fewer than 9',
    },
  ])('$name', ({ bounds, n, want }) => {
    const outcome = decide(rooms({ a: 60, b: 20, c: 10 }), aBinding(n, DYNAMIC), {
      hints: { bounds },
    });

    expect(describeOutcome(outcome)).toBe(want);
  });

  test('a minimum does not drag clusters into an aggregated division', () => {
    expect(
      describeOutcome(
        decide(rooms({ a: 60, b: 20 }), aBinding(9, AGGREGATED), {
          hints: { bounds: [{ min: 1 }] },
        }),
      ),
    ).toBe('a 9');
  });

  const party = fc.record({
    share: fc.integer({ min: 0, max: 30 }),
    min: fc.integer({ min: 0, max: 5 }),
    more: fc.integer({ min: 0, max: 30 }),
  });
  const parties = fc.array(party, { minLength: 1, maxLength: 6 }).map((list) =>
    list.map(({ share, min, more }, position): BoundedParty => ({
      position,
      share,
      min,
      max: min + more,
    })),
  );
  const sharesOf = (list: readonly BoundedParty[]) =>
    list.reduce((sum, { share }) => sum + share, 0);

  test('keep the sum and hold on every cluster, or say why not', () => {
    fc.assert(
      fc.property(parties, (list) => {
        const total = sharesOf(list);
        const result = boundShares(total, list, false);
        const isPossible =
          list.reduce((sum, { min }) => sum + min, 0) <= total &&
          list.reduce((sum, { max }) => sum + max, 0) >= total;

        expect(result.ok).toBe(isPossible);
        if (!result.ok) return;
        expect(result.value.reduce((sum, { replicas }) => sum + replicas, 0)).toBe(total);
        result.value.forEach(({ replicas }, i) => {
          expect(replicas).toBeGreaterThanOrEqual(list[i]?.min ?? 0);
          expect(replicas).toBeLessThanOrEqual(list[i]?.max ?? 0);
        });
      }),
      RUNS,
    );
  });

  test('change nothing where they hold already', () => {
    fc.assert(
      fc.property(parties, (list) => {
        const wide = list.map((one) => ({
          ...one,
          min: Math.min(one.min, one.share),
          max: Math.max(one.max, one.share),
        }));
        const result = boundShares(sharesOf(wide), wide, false);

        expect(result).toEqual({
          ok: true,
          value: wide.map(({ position, share }) => ({ position, replicas: share })),
        });
      }),
      RUNS,
    );
  });
});

describe('replica groups', () => {
  const clusters = [
    ...['x1', 'x2'].map((name) => roomFor(name, 9, { provider: 'aws' })),
    roomFor('g1', 9, { provider: 'gcp' }),
    roomFor('other', 99),
  ];
  const provider = (name: string) => ({
    fieldSelector: { matchExpressions: [{ key: 'provider', operator: 'In', values: [name] }] },
  });
  const groups = (aws: number, gcp: number) => ({
    groups: [
      { name: 'aws', targetCluster: provider('aws'), replicas: aws },
      { name: 'gcp', targetCluster: provider('gcp'), replicas: gcp },
    ],
  });

  test('3 on aws and 2 on gcp', () => {
    expect(describeOutcome(decide(clusters, aBinding(5, DYNAMIC), { hints: groups(3, 2) }))).toBe(
      'x1 2, x2 1, g1 2',
    );
  });

  test('keep what each group has', () => {
    const spec = aBinding(6, DYNAMIC, { clusters: targets({ x2: 3, g1: 2 }) });

    expect(describeOutcome(decide(clusters, spec, { hints: groups(4, 2) }))).toBe(
      'x1 1, x2 3, g1 2',
    );
  });

  test.each([
    {
      name: 'counts that do not sum up',
      n: 6,
      hints: groups(3, 2),
      want: 'the replica groups ask for 5 replicas, the template has 6',
    },
    {
      name: 'a group without clusters',
      n: 5,
      hints: { groups: [{ name: 'azure', targetCluster: provider('azure'), replicas: 5 }] },
      want: 'replica group azure: no cluster that fits belongs to it',
    },
    {
      name: 'a group that is too small',
      n: 15,
      hints: groups(3, 12),
      want: 'replica group gcp: failed to assign replicas: failed to scale up: Clusters available replicas 9 are not enough to schedule.',
    },
  ])('refuse $name', ({ n, hints, want }) => {
    expect(describeOutcome(decide(clusters, aBinding(n, DYNAMIC), { hints }))).toBe(want);
  });
});

describe('soft spread', () => {
  const two = [
    roomFor('a', 9, { region: 'eu' }),
    roomFor('b', 9, { region: 'us' }),
    roomFor('c', 5, { region: 'us' }),
  ];

  test('takes the regions there are and reports what is owed', () => {
    const spec = aBinding(4, spread(DYNAMIC, [2, 2], [3, 3]));

    expect(decide(two, spec).reason).toBe('SchedulerError');
    expect(decide(two, spec, { hints: { spread: 'soft' } })).toMatchObject({
      reason: 'Success',
      clusters: [
        { name: 'a', replicas: 2 },
        { name: 'b', replicas: 2 },
      ],
      debts: [{ field: 'region', wanted: 3, got: 2 }],
    });
    expect(debtFindings([{ field: 'region', wanted: 3, got: 2 }])).toEqual([
      expect.objectContaining({
        code: 'SPREAD_DEBT',
        severity: 'warning',
        summary: 'The placement wants 3 regions and takes 2, because no more fit.',
      }),
    ]);
  });

  test('takes the clusters there are', () => {
    const outcome = decide(two, aBinding(8, spread(DYNAMIC, [5, 5])), {
      hints: { spread: 'soft' },
    });

    expect(outcome).toMatchObject({
      reason: 'Success',
      debts: [{ field: 'cluster', wanted: 5, got: 3 }],
    });
  });

  test('decides as a hard one where that can be kept', () => {
    const spec = aBinding(4, spread(DYNAMIC, [2, 2], [2, 2]));

    expect(decide(two, spec, { hints: { spread: 'soft' } })).toEqual(decide(two, spec));
  });
});

describe('a cluster that is not ready', () => {
  const clusters = [unready(roomFor('a', 90)), roomFor('b', 9)];
  const spec = aBinding(6, DYNAMIC, { clusters: targets({ a: 2, b: 2 }) });

  test('gets more replicas from Karmada, as its summary still shows room', () => {
    expect(describeOutcome(decide(clusters, spec))).toBe('a 4, b 2');
  });

  test('keeps what it has and takes no more with gate unreadyTakesNoMore', () => {
    const outcome = decide(clusters, spec, { gates: { unreadyTakesNoMore: true } });
    const verdicts = verdictsOf(indexFleet(clusters), spec, outcome.clusters, {
      affinityName: '',
      outcome,
    });

    expect(describeOutcome(outcome)).toBe('a 2, b 4');
    expect(verdicts[0]?.message).toBe(
      'chosen · 2 of 6 replicas, by free capacity; it takes no more while it is not ready',
    );
  });

  test('has the whole of a duplicated workload all the same', () => {
    const outcome = decide(clusters, aBinding(6, DUPLICATED), {
      gates: { unreadyTakesNoMore: true },
    });

    expect(describeOutcome(outcome)).toBe('a 6, b 6');
  });
});

describe('parseHints', () => {
  test('reads all annotations', () => {
    const annotations = {
      'fleetwright.dev/division': 'even',
      'fleetwright.dev/spread': 'soft',
      'fleetwright.dev/replica-bounds': '[{"min":1,"max":5}]',
      'fleetwright.dev/replica-groups': '[{"name":"aws","targetCluster":{},"replicas":3}]',
    };

    expect(parseHints(annotations)).toEqual({
      hints: {
        division: 'even',
        spread: 'soft',
        bounds: [{ min: 1, max: 5 }],
        groups: [{ name: 'aws', targetCluster: {}, replicas: 3 }],
      },
      diagnostics: [],
    });
  });

  test.each([
    { key: 'fleetwright.dev/division', text: 'equal' },
    { key: 'fleetwright.dev/spread', text: 'hard' },
    { key: 'fleetwright.dev/replica-bounds', text: '[{"min":5,"max":1}]' },
    { key: 'fleetwright.dev/replica-bounds', text: '{not json' },
    { key: 'fleetwright.dev/replica-groups', text: '[{"replicas":3}]' },
  ])('reports HINT_INVALID for $key: $text', ({ key, text }) => {
    const { hints, diagnostics } = parseHints({ [key]: text });

    expect(hints).toBeUndefined();
    expect(diagnostics).toEqual([
      expect.objectContaining({
        code: 'HINT_INVALID',
        severity: 'error',
        path: ['metadata', 'annotations', key],
      }),
    ]);
  });

  test('has nothing to say without annotations', () => {
    expect(parseHints({ other: 'x' })).toEqual({ hints: undefined, diagnostics: [] });
  });
});
