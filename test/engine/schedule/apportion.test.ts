import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { apportion, largerNameWins } from '../../../lib/engine/schedule/divide/apportion.js';

const RUNS = { numRuns: Number(process.env['FLEETWRIGHT_PROPERTY_RUNS'] ?? 300) };

/** The rule word for word: one seat after the other to the greatest quotient. */
function oneByOne(
  seats: number,
  votes: readonly (readonly [string, number])[],
  uid: string,
  initial: ReadonlyMap<string, number> = new Map(),
): [string, number][] {
  const weights = new Map(votes);
  const names = [...new Set([...weights.keys(), ...initial.keys()])].sort();
  const got = new Map(names.map((name) => [name, initial.get(name) ?? 0]));
  const larger = largerNameWins(uid);
  for (let seat = 0; seat < seats; seat += 1) {
    const [winner] = [...names].sort((a, b) => {
      const quotient = (name: string) => (weights.get(name) ?? 0) / (2 * (got.get(name) ?? 0) + 1);
      const byName = a < b ? -1 : 1;
      return (
        quotient(b) - quotient(a) ||
        (got.get(a) ?? 0) - (got.get(b) ?? 0) ||
        (larger ? -byName : byName)
      );
    });
    if (winner !== undefined) got.set(winner, (got.get(winner) ?? 0) + 1);
  }
  return names.map((name) => [name, got.get(name) ?? 0]);
}

const votes = (maxWeight: number) =>
  fc.uniqueArray(
    fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), fc.integer({ min: 0, max: maxWeight })),
    {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 12,
    },
  );
const uid = fc.constantFrom('', 'uid-a', 'uid-b', '7a0efc47-ff24-444b-abec-82673220445d');

describe('apportion', () => {
  test.each([
    { seats: 12, weights: { a: 3, b: 2, c: 1 }, want: { a: 6, b: 4, c: 2 } },
    { seats: 13, weights: { a: 3, b: 2, c: 1 }, want: { a: 7, b: 4, c: 2 } },
    { seats: 9, weights: { a: 1, b: 2 }, want: { a: 3, b: 6 } },
    { seats: 2, weights: { a: 2, b: 1 }, want: { a: 1, b: 1 } },
    { seats: 2, weights: { a: 3, b: 1 }, want: { a: 1, b: 1 } },
    { seats: 0, weights: { a: 3 }, want: { a: 0 } },
    { seats: 5, weights: {}, want: {} },
  ])('$seats seats, $weights', ({ seats, weights, want }) => {
    expect(Object.fromEntries(apportion(seats, Object.entries(weights), ''))).toEqual(want);
  });

  test.each([
    { uid: '', larger: false },
    { uid: 'uid-a', larger: true },
    { uid: 'uid-b', larger: false },
    { uid: '00000000-0000-0000-0000-000000000001', larger: false },
    { uid: '00000000-0000-0000-0000-000000000002', larger: true },
  ])('UID "$uid" lets the larger name win: $larger', ({ uid, larger }) => {
    expect(largerNameWins(uid)).toBe(larger);
  });

  test('is what one seat after the other gives, for few and for many seats', () => {
    const sizes = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 600 }));
    fc.assert(
      fc.property(sizes, fc.oneof(votes(5), votes(2000)), uid, (seats, weights, id) => {
        expect(apportion(seats, weights, id)).toEqual(oneByOne(seats, weights, id));
      }),
      RUNS,
    );
  });

  test('counts initial seats in the quotients', () => {
    const initial = fc.dictionary(fc.stringMatching(/^[a-c]$/), fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        votes(50),
        initial,
        uid,
        (seats, weights, had, id) => {
          const before = new Map(Object.entries(had));
          expect(apportion(seats, weights, id, before)).toEqual(
            oneByOne(seats, weights, id, before),
          );
        },
      ),
      RUNS,
    );
  });

  test('is the division with the least greatest advantage, by trying all (at most 4 parties and 6 seats)', () => {
    const few = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), few, (seats, weights) => {
        const got = apportion(
          seats,
          weights.map((weight, i) => [`p${i}`, weight]),
          '',
        ).map(([, n]) => n);

        // Webster's optimum: the sum of (seats - quota)² / weight is least.
        const quota = (i: number) =>
          (seats * (weights[i] ?? 0)) / weights.reduce((a, b) => a + b, 0);
        const badness = (division: readonly number[]) =>
          division.reduce((sum, n, i) => sum + (n - quota(i)) ** 2 / (weights[i] ?? 1), 0);
        const least = Math.min(...divisions(seats, weights.length).map(badness));
        expect(badness(got)).toBeCloseTo(least, 9);
      }),
      RUNS,
    );
  });

  test('one more seat takes none away', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), votes(300), uid, (seats, weights, id) => {
        const before = new Map(apportion(seats, weights, id));
        for (const [name, n] of apportion(seats + 1, weights, id))
          expect(n).toBeGreaterThanOrEqual(before.get(name) ?? 0);
      }),
      RUNS,
    );
  });
});

function divisions(seats: number, parties: number): number[][] {
  if (parties === 1) return [[seats]];
  return Array.from({ length: seats + 1 }, (_, first) =>
    divisions(seats - first, parties - 1).map((rest) => [first, ...rest]),
  ).flat();
}
