import { describe, expect, test } from '@jest/globals';
import type { Placement } from '../../../lib/api/placement.js';
import type { ScheduleOutcome } from '../../../lib/engine/schedule/index.js';
import {
  AGGREGATED,
  aBinding,
  decide,
  DUPLICATED,
  DYNAMIC,
  rooms,
  spread,
  targets,
  weighted,
} from './builders.js';

/**
 * Whole decisions against their closed definitions, by trying every division of up to six replicas over up to four
 * clusters: nothing of the algorithm is used here, only what its result has to be.
 */
const NAMES = ['a', 'b', 'c', 'd'];
const REPLICAS = [1, 2, 3, 4, 5, 6];

/** Every list of so many integers from `low` to `high`. */
function lists(length: number, low: number, high: number): number[][] {
  if (length === 0) return [[]];
  const shorter = lists(length - 1, low, high);
  const firsts = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return firsts.flatMap((first) => shorter.map((rest) => [first, ...rest]));
}

/** Every way to give `seats` to the parties, at most `most[i]` each. */
function divisions(seats: number, most: readonly number[]): number[][] {
  const [first, ...rest] = most;
  if (first === undefined) return seats === 0 ? [[]] : [];
  const counts = Array.from({ length: Math.min(first, seats) + 1 }, (_, i) => i);
  return counts.flatMap((n) => divisions(seats - n, rest).map((others) => [n, ...others]));
}

/** Webster's measure: how far a division is from the exact shares, per vote. Parties without votes may have no seat. */
function distance(division: readonly number[], votes: readonly number[]): number {
  const seats = sum(division);
  const total = sum(votes);
  return division.reduce((far, n, i) => {
    const vote = votes[i] ?? 0;
    if (vote === 0) return n === 0 ? far : Infinity;
    return far + (n - (seats * vote) / total) ** 2 / vote;
  }, 0);
}

function expectFairest(division: readonly number[], votes: readonly number[]): void {
  const seats = sum(division);
  const all = divisions(
    seats,
    votes.map(() => seats),
  );
  const least = Math.min(...all.map((other) => distance(other, votes)));
  expect(distance(division, votes)).toBeCloseTo(least, 9);
}

/** The fewest clusters that hold so many replicas together. */
function fewest(replicas: number, room: readonly number[]): number {
  const subsets = lists(room.length, 0, 1).filter(
    (chosen) => sum(room.filter((_, i) => chosen[i] === 1)) >= replicas,
  );
  return Math.min(...subsets.map(sum));
}

const sum = (list: readonly number[]): number => list.reduce((total, n) => total + n, 0);
const named = (list: readonly number[]): Record<string, number> =>
  Object.fromEntries(list.map((n, i) => [NAMES[i] ?? '', n]));
/** What each cluster got, in the order of the names; undefined where nothing was decided. */
function given({ reason, clusters }: ScheduleOutcome, length: number): number[] | undefined {
  if (reason !== 'Success') return undefined;
  const got = new Map(clusters.map(({ name, replicas }) => [name, replicas ?? 0]));
  return NAMES.slice(0, length).map((name) => got.get(name) ?? 0);
}
/** Far enough apart that other methods of apportionment (d'Hondt, largest remainder by name) give other seats. */
const AMOUNTS = [0, 1, 3, 7];
const SMALL_FLEETS = [1, 2, 3, 4].flatMap((length) =>
  lists(length, 0, 3).map((list) => list.map((i) => AMOUNTS[i] ?? 0)),
);

describe.each(REPLICAS)('%i replicas on up to four clusters', (replicas) => {
  test('static weights: the division nearest to the weights, room or not', () => {
    for (const weights of SMALL_FLEETS.filter((list) => list.every((weight) => weight > 0))) {
      const room = named(weights.map(() => 1));
      const outcome = decide(rooms(room), aBinding(replicas, weighted(named(weights))));
      const division = given(outcome, weights.length) ?? [];
      expect(sum(division)).toBe(replicas);
      expectFairest(division, weights);
    }
  });

  test('dynamic weights: the division nearest to the room, never above it, or nothing', () => {
    for (const room of SMALL_FLEETS) {
      const division = given(decide(rooms(named(room)), aBinding(replicas, DYNAMIC)), room.length);
      expect(division === undefined).toBe(sum(room) < replicas);
      if (division === undefined) continue;
      expect(sum(division)).toBe(replicas);
      division.forEach((n, i) => {
        expect(n).toBeLessThanOrEqual(room[i] ?? 0);
      });
      expectFairest(division, room);
    }
  });

  test('aggregated: on as few clusters as can hold it, or nothing', () => {
    for (const room of SMALL_FLEETS) {
      const outcome = decide(rooms(named(room)), aBinding(replicas, AGGREGATED));
      const division = given(outcome, room.length);
      expect(division === undefined).toBe(sum(room) < replicas);
      if (division === undefined) continue;
      expect(sum(division)).toBe(replicas);
      expect(division.filter((n) => n > 0)).toHaveLength(fewest(replicas, room));
      division.forEach((n, i) => {
        expect(n).toBeLessThanOrEqual(room[i] ?? 0);
      });
    }
  });

  test.each([
    ['dynamic weights', DYNAMIC],
    ['aggregated', AGGREGATED],
  ])(
    '%s, scaled: what is there stays when growing, and only shrinks when shrinking',
    (_, placement) => {
      for (const before of lists(3, 0, 3).filter((list) => sum(list) > 0)) {
        for (const room of [
          [3, 3, 3],
          [0, 1, 3],
          [2, 0, 0],
        ]) {
          const clusters = targets(named(before)).filter((target) => target.replicas !== undefined);
          const outcome = decide(rooms(named(room)), aBinding(replicas, placement, { clusters }));
          const after = given(outcome, 3);
          const more = replicas - sum(before);
          expect(after === undefined).toBe(more > 0 && sum(room) < more);
          if (after === undefined) continue;
          expect(sum(after)).toBe(replicas);
          const change = after.map((n, i) => n - (before[i] ?? 0));
          if (more > 0) expect(Math.min(...change)).toBeGreaterThanOrEqual(0);
          if (more < 0) expect(Math.max(...change)).toBeLessThanOrEqual(0);
          if (more === 0) expect(after).toEqual(before);
          if (placement !== DYNAMIC) continue;
          if (more > 0) expectFairest(change, room);
          if (more < 0) expectFairest(after, before);
        }
      }
    },
  );

  test.each([0, 1, 2, 3, 4].flatMap((min) => [1, 2, 3, 4].map((max) => [min, max] as const)))(
    'spread over %i to %i clusters: as many as allowed, those with most room',
    (min, max) => {
      if (min > max) return;
      for (const room of lists(3, 0, 3)) {
        const count = Math.min(room.length, max);
        const most = sum([...room].sort((x, y) => y - x).slice(0, count));
        const decided = (placement: Placement) =>
          given(
            decide(rooms(named(room)), aBinding(replicas, spread(placement, [min, max]))),
            room.length,
          );

        const divided = decided(DYNAMIC);
        expect(divided === undefined).toBe(room.length < min || most < replicas);
        if (divided !== undefined) {
          expect(sum(divided)).toBe(replicas);
          expect(divided.filter((n) => n > 0).length).toBeLessThanOrEqual(max);
        }

        const copied = decided(DUPLICATED);
        expect(copied === undefined).toBe(room.length < min);
        if (copied !== undefined) expect(copied.filter((n) => n === replicas)).toHaveLength(count);
      }
    },
  );
});
