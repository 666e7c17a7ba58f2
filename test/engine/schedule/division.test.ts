import { describe, expect, test } from '@jest/globals';
import type { Placement } from '../../../lib/api/placement.js';
import type { ResourceBindingSpec } from '../../../lib/api/resource-binding.js';
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
  weighted,
  WEIGHTED,
} from './builders.js';

/** The worked examples of the scheduling reference §21.5 to 21.10, by their numbers. */
interface Example {
  readonly name: string;
  readonly room: Readonly<Record<string, number>>;
  readonly n: number;
  readonly placement: Placement;
  readonly had?: Readonly<Record<string, number>>;
  readonly fresh?: boolean;
  readonly uid?: string;
  readonly want: string;
}

function answer({ room, n, placement, had, fresh, uid }: Example): string {
  const resource = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: 'shop',
    name: 'web',
    ...(uid !== undefined && { uid }),
  };
  const more: Partial<ResourceBindingSpec> = { resource, ...(had && { clusters: targets(had) }) };
  return describeOutcome(
    decide(rooms(room), aBinding(n, placement, more), { ...(fresh === true && { fresh }) }),
  );
}

const abc = { a: 99, b: 99, c: 99 };

describe('selection by cluster', () => {
  const examples: Example[] = [
    {
      name: '55 all candidates, roomiest first',
      room: { a: 1, b: 0, c: 9 },
      n: 4,
      placement: DUPLICATED,
      want: 'c 4, a 4, b 4',
    },
    {
      name: '56 at most two',
      room: { a: 1, b: 0, c: 9 },
      n: 4,
      placement: spread(DUPLICATED, [1, 2]),
      want: 'c 4, a 4',
    },
    {
      name: '57 the bound one scores 100',
      room: { a: 1, b: 0, c: 9 },
      n: 4,
      placement: spread(DUPLICATED, [1, 2]),
      had: { b: 4 },
      want: 'b 4, c 4',
    },
    {
      name: '58 ties by name',
      room: { m1: 5, m2: 5, m3: 9 },
      n: 1,
      placement: spread(DUPLICATED, [1, 2]),
      want: 'm3 1, m1 1',
    },
    {
      name: '59 dynamic on the two roomiest',
      room: { m1: 40, m2: 30, m3: 60 },
      n: 80,
      placement: spread(DYNAMIC, [1, 2]),
      want: 'm1 32, m3 48',
    },
    {
      name: '60 a bound cluster makes way for a roomier one',
      room: { m1: 0, m2: 0, m3: 60 },
      n: 80,
      placement: spread(AGGREGATED, [1, 2]),
      had: { m1: 40, m2: 30 },
      want: 'm1 40, m3 40',
    },
    {
      name: '61 two clusters cannot hold it',
      room: { m1: 40, m2: 30, m3: 60 },
      n: 120,
      placement: spread(DYNAMIC, [1, 2]),
      want: 'failed to select clusters: no enough resource when selecting 2 clusters',
    },
    {
      name: '62 fewer clusters than minGroups',
      room: { a: 9, b: 9, c: 9 },
      n: 3,
      placement: spread(DYNAMIC, [4, 5]),
      want: 'failed to select clusters: the number of feasible clusters is less than spreadConstraint.MinGroups',
    },
    {
      name: '63 maxGroups 0 where capacity counts',
      room: { a: 9, b: 9 },
      n: 3,
      placement: spread(DYNAMIC, [1, 0]),
      want: 'failed to select clusters: no enough resource when selecting 0 clusters',
    },
    {
      name: '64 maxGroups 0 where it does not',
      room: { a: 9, b: 9 },
      n: 3,
      placement: spread(DUPLICATED, [1, 0]),
      want: 'failed to assign replicas: no clusters available to schedule',
    },
    {
      name: '66 static weights ignore the constraint',
      room: abc,
      n: 6,
      placement: spread(weighted({ a: 1, b: 1, c: 1 }), [1, 1]),
      want: 'a 2, b 2, c 2',
    },
    {
      name: '67 an empty preference honours it',
      room: { a: 9, b: 9, c: 9 },
      n: 6,
      placement: spread(
        { replicaScheduling: { ...WEIGHTED.replicaScheduling, weightPreference: {} } },
        [1, 2],
      ),
      want: 'a 3, b 3',
    },
  ];
  test.each(examples)('$name', (example) => {
    expect(answer(example)).toBe(example.want);
  });

  test('65 a zone constraint alone spreads nothing', () => {
    const placement: Placement = {
      ...DUPLICATED,
      spreadConstraints: [{ spreadByField: 'zone', minGroups: 1, maxGroups: 1 }],
    };

    const outcome = decide([roomFor('a', 9, { zones: ['z'] })], aBinding(1, placement));

    expect(outcome.reason).toBe('SchedulerError');
    expect(describeOutcome(outcome)).toBe(
      'failed to select clusters: just support cluster and region spread constraint',
    );
  });
});

describe('selection by region', () => {
  const inRegions = (regions: Record<string, Record<string, number>>) =>
    Object.entries(regions).flatMap(([region, pods]) =>
      Object.entries(pods).map(([name, count]) => roomFor(name, count, { region })),
    );
  const S = { r1: { a1: 10, a2: 10 }, r2: { b1: 30 }, r3: { c1: 5, c2: 5, c3: 5 } };
  test.each([
    {
      name: '68 ties on weight go to more clusters',
      regions: S,
      n: 20,
      placement: spread(DYNAMIC, [2, 3], [2, 2]),
      want: 'a1 8, a2 8, c1 4',
    },
    {
      name: '69 duplicated: clusters that hold all count',
      regions: S,
      n: 10,
      placement: spread(DUPLICATED, [1, 2], [1, 1]),
      want: 'a1 10, a2 10',
    },
    {
      name: '70 only pairs with four clusters',
      regions: S,
      n: 5,
      placement: spread(DUPLICATED, [4, 4], [2, 2]),
      want: 'c1 5, a1 5, a2 5, c2 5',
    },
    {
      name: '71 only all three reach six',
      regions: S,
      n: 5,
      placement: spread(DUPLICATED, [6, 6], [1, 3]),
      want: 'c1 5, a1 5, b1 5, a2 5, c2 5, c3 5',
    },
    {
      name: '72 fewer regions than minGroups',
      regions: S,
      n: 5,
      placement: spread(DUPLICATED, [1, 9], [4, 4]),
      want: 'failed to select clusters: the number of feasible region is less than spreadConstraint.MinGroups',
    },
    {
      name: '73 no combination has six clusters',
      regions: S,
      n: 5,
      placement: spread(DUPLICATED, [6, 6], [1, 2]),
      want: 'failed to select clusters: the number of clusters is less than the cluster spreadConstraint.MinGroups',
    },
    {
      name: '74 no cluster constraint: one head',
      regions: S,
      n: 5,
      placement: spread(DUPLICATED, undefined, [1, 2]),
      want: 'c1 5',
    },
    {
      name: '75 heads first, then the roomiest',
      regions: { r1: { a1: 40, a2: 40 }, r2: { b1: 100, b2: 100 }, r3: { c1: 5, c2: 5 } },
      n: 100,
      placement: spread(DYNAMIC, [2, 4], [2, 2]),
      want: 'a1 14, a2 14, b1 36, b2 36',
    },
    {
      name: '78 selection does not check the sum',
      regions: { r1: { a1: 3 }, r2: { b1: 3 } },
      n: 10,
      placement: spread(DYNAMIC, [2, 2], [2, 2]),
      want: 'failed to assign replicas: failed to scale up: Clusters available replicas 6 are not enough to schedule.',
    },
    {
      name: '79 a feasible set is not extended',
      regions: { r1: { a1: 50, a2: 50 }, r2: { b1: 50, b2: 50 } },
      n: 10,
      placement: spread(DUPLICATED, [1, 3], [1, 2]),
      want: 'a1 10, a2 10',
    },
  ])('$name', ({ regions, n, placement, want }) => {
    expect(describeOutcome(decide(inRegions(regions), aBinding(n, placement)))).toBe(want);
  });

  test.each([
    { name: '76 the bound region wins when it can hold all', had: 4, want: 'b1 10' },
    { name: '77 the bound region has no advantage here', room: 4, had: 2, want: 'a1 10' },
  ])('$name', ({ room = 100, had, want }) => {
    const clusters = inRegions({ r1: { a1: 100 }, r2: { b1: room } });

    const outcome = decide(
      clusters,
      aBinding(10, spread(DYNAMIC, [1, 1], [1, 1]), { clusters: targets({ b1: had }) }),
    );

    expect(describeOutcome(outcome)).toBe(want);
  });
});

describe('division', () => {
  const examples: Example[] = [
    {
      name: '80 static 3:2:1 of 12',
      room: abc,
      n: 12,
      placement: weighted({ a: 3, b: 2, c: 1 }),
      want: 'a 6, b 4, c 2',
    },
    {
      name: '82 static 3:2:1 of 14',
      room: abc,
      n: 14,
      placement: weighted({ a: 3, b: 2, c: 1 }),
      want: 'a 7, b 5, c 2',
    },
    {
      name: '84 a small weight gets nothing',
      room: { a: 9, b: 9 },
      n: 2,
      placement: weighted({ a: 10, b: 1 }),
      want: 'a 2',
    },
    {
      name: '85 an unlisted cluster gets nothing',
      room: abc,
      n: 6,
      placement: weighted({ a: 2, b: 1 }),
      want: 'a 4, b 2',
    },
    {
      name: '86 no rule matches: equal',
      room: abc,
      n: 6,
      placement: weighted({ x: 5 }),
      want: 'a 2, b 2, c 2',
    },
    {
      name: '88 no preference: equal',
      room: abc,
      n: 7,
      placement: WEIGHTED,
      want: 'a 3, b 2, c 2',
    },
    {
      name: '89 an even hash: smaller name',
      room: { a: 9, b: 9 },
      n: 5,
      placement: weighted({ a: 1, b: 1 }),
      uid: 'uid-b',
      want: 'a 3, b 2',
    },
    {
      name: '89 an odd hash: larger name',
      room: { a: 9, b: 9 },
      n: 5,
      placement: weighted({ a: 1, b: 1 }),
      uid: 'uid-a',
      want: 'a 2, b 3',
    },
    {
      name: '91 static weights forget the past',
      room: { a: 9, b: 9 },
      n: 3,
      placement: weighted({ a: 1, b: 1 }),
      had: { b: 3 },
      want: 'a 2, b 1',
    },
    {
      name: '93 dynamic by room',
      room: { a: 6, b: 12, c: 18 },
      n: 12,
      placement: DYNAMIC,
      want: 'a 2, b 4, c 6',
    },
    {
      name: '96 too little room',
      room: { a: 3, b: 3, c: 3 },
      n: 12,
      placement: DYNAMIC,
      want: 'failed to assign replicas: failed to scale up: Clusters available replicas 9 are not enough to schedule.',
    },
    {
      name: '97 scale up divides the difference',
      room: { a: 10, b: 10, c: 10 },
      n: 24,
      placement: DYNAMIC,
      had: { a: 2, b: 4, c: 6 },
      want: 'a 6, b 8, c 10',
    },
    {
      name: '99 scale down keeps the proportions',
      room: abc,
      n: 6,
      placement: DYNAMIC,
      had: { a: 2, b: 4, c: 6 },
      want: 'a 1, b 2, c 3',
    },
    {
      name: '100 satisfied: unchanged',
      room: { a: 0, b: 0, c: 0 },
      n: 12,
      placement: DYNAMIC,
      had: { a: 2, b: 4, c: 6 },
      want: 'a 2, b 4, c 6',
    },
    {
      name: '102 fresh: room and replicas weigh',
      room: { a: 10, b: 10, c: 10 },
      n: 12,
      placement: DYNAMIC,
      had: { a: 2, b: 4, c: 6 },
      fresh: true,
      want: 'a 3, b 4, c 5',
    },
    {
      name: '105 aggregated on the fewest',
      room: { a: 6, b: 8, c: 10 },
      n: 12,
      placement: AGGREGATED,
      want: 'b 5, c 7',
    },
    {
      name: '106 aggregated on one',
      room: { a: 12, b: 8, c: 10 },
      n: 12,
      placement: AGGREGATED,
      want: 'a 12',
    },
    {
      name: '108 aggregated prefers where it is',
      room: { a: 2, b: 50, c: 4 },
      n: 12,
      placement: AGGREGATED,
      had: { a: 4, c: 3 },
      want: 'a 6, c 6',
    },
    {
      name: '111 aggregated scale down',
      room: abc,
      n: 6,
      placement: AGGREGATED,
      had: { a: 4, b: 6, c: 2 },
      want: 'b 6',
    },
    {
      name: '114 the unstable sort decides',
      room: {
        c01: 1,
        c02: 1,
        c03: 3,
        c04: 3,
        c05: 3,
        c06: 1,
        c07: 1,
        c08: 1,
        c09: 2,
        c10: 3,
        c11: 1,
        c12: 1,
        c13: 3,
      },
      n: 5,
      placement: AGGREGATED,
      had: { c06: 1 },
      want: 'c06 2, c13 3',
    },
    { name: '121 no replicas: nowhere', room: abc, n: 0, placement: DYNAMIC, want: '' },
    {
      name: 'fresh without replicas: the 32-bit sum wraps',
      room: { a: 1, b: 1 },
      n: 0,
      placement: DYNAMIC,
      fresh: true,
      want: 'failed to assign replicas: failed to do fresh scale: Clusters available replicas -2 are not enough to schedule.',
    },
  ];
  test.each(examples)('$name', (example) => {
    expect(answer(example)).toBe(example.want);
  });

  test('120 a kind without replicas is on every candidate', () => {
    const resource = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'env' };

    const outcome = decide(rooms({ a: 0, b: 5 }), { resource, placement: DYNAMIC });

    expect(describeOutcome(outcome)).toBe('a, b');
  });

  test('123 empty workload propagation appends the others', () => {
    const outcome = decide(rooms({ a: 20, b: 1, c: 1 }), aBinding(5, AGGREGATED), {
      gates: { emptyWorkloadPropagation: true },
    });

    expect(describeOutcome(outcome)).toBe('a 5, b, c');
  });

  test('127 no division preference is no strategy', () => {
    const placement: Placement = { replicaScheduling: { replicaSchedulingType: 'Divided' } };

    expect(describeOutcome(decide(rooms(abc), aBinding(1, placement)))).toBe(
      'failed to assign replicas: unsupported replica scheduling strategy, replicaSchedulingType: Divided, replicaDivisionPreference: , please try another scheduling strategy',
    );
  });
});

describe('overflow', () => {
  const terms = [
    {
      affinityName: 'p',
      clusterNames: ['a'],
      overflowAffinities: [
        { affinityName: 'o1', clusterNames: ['b'] },
        { affinityName: 'o2', clusterNames: ['b', 'c'] },
      ],
    },
  ];
  test.each([
    {
      name: '115 the first tier suffices',
      room: { a: 10, b: 10, c: 10 },
      n: 8,
      placement: AGGREGATED,
      want: 'a 8',
    },
    {
      name: '116 tier by tier',
      room: { a: 5, b: 4, c: 10 },
      n: 12,
      placement: DYNAMIC,
      want: 'a 5, b 4, c 3',
    },
    {
      name: '117 all tiers together are too small',
      room: { a: 5, b: 4, c: 2 },
      n: 12,
      placement: DYNAMIC,
      want: 'failed to assign replicas: Clusters available replicas are not enough to schedule.',
    },
    {
      name: '118 replicas in place are room',
      room: { a: 1, b: 4, c: 10 },
      n: 8,
      placement: DYNAMIC,
      had: { a: 3, b: 1 },
      want: 'a 4, b 4',
    },
  ])('$name', ({ room, n, placement, had, want }) => {
    const spec = aBinding(
      n,
      { ...placement, clusterAffinities: terms },
      { ...(had && { clusters: targets(had) }) },
    );

    expect(describeOutcome(decide(rooms(room), spec))).toBe(want);
  });
});

describe('components', () => {
  const components = [
    { name: 'jm', replicas: 1 },
    { name: 'tm', replicas: 3 },
  ];
  const spec = (placement: Placement): ResourceBindingSpec => {
    const {
      replicas: _replicas,
      replicaRequirements: _requirements,
      ...rest
    } = aBinding(0, spread(placement, [1, 1]));
    return { ...rest, components };
  };
  const on = { MultiplePodTemplatesScheduling: true };

  test('124 a complete set on one cluster', () => {
    const outcome = decide(rooms({ a: 8, b: 12, c: 4 }), spec(DUPLICATED), { gates: on });

    expect(outcome.clusters).toEqual([{ name: 'b', components }]);
  });

  test('125 no cluster holds a set', () => {
    const outcome = decide(rooms({ a: 3, b: 3 }), spec(AGGREGATED), { gates: on });

    expect(describeOutcome(outcome)).toBe(
      'failed to select clusters: no enough resource when selecting 1 clusters',
    );
  });

  test('126 without the gate there is no list', () => {
    const outcome = decide(rooms({ a: 8, b: 12, c: 4 }), spec(DUPLICATED));

    expect(outcome.clusters).toEqual([{ name: 'b' }]);
  });
});
