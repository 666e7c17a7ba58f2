import { compareBy, sorted } from '../../compare.js';

/** The last seat of an apportionment: who got it, and who would have got the next. */
export interface Seat {
  readonly cluster: string;
  /** votes / (2 × seats + 1) at the time. */
  readonly priority: number;
  /** Whether others had the same priority, so that fewer seats or the name decided. */
  readonly wasTie: boolean;
  readonly next?: { readonly cluster: string; readonly priority: number };
}

/**
 * Apportion seats by Webster's method (Sainte-Laguë): one seat at a time to the party with the greatest
 * votes / (2 × seats + 1), in double precision as Karmada computes it.
 *
 * Ties: fewer seats first, then by name, descending when the FNV-1a hash of `uid` is odd, else ascending.
 *
 * @param votes parties in any order, names unique; weights are unitless
 * @param initial seats that parties have already; they count in the quotients and are part of the result
 * @returns every party of `votes` and `initial`, by name; the seats sum to `seats` plus the initial ones
 * @example apportion(9, [['a', 1], ['b', 2]], '') // [['a', 3], ['b', 6]]
 */
export function apportion(
  seats: number,
  votes: readonly (readonly [name: string, weight: number])[],
  uid: string,
  initial: ReadonlyMap<string, number> = new Map(),
): [name: string, seats: number][] {
  const weights = new Map(votes);
  const names = [...new Set([...weights.keys(), ...initial.keys()])];
  const ordered = sorted(
    names,
    compareBy((name) => name),
  );
  const got = apportionSeats(
    seats,
    ordered.map((name) => weights.get(name) ?? 0),
    {
      largerNameWins: largerNameWins(uid),
      initial: ordered.map((name) => initial.get(name) ?? 0),
    },
  );
  return ordered.map((name, party) => [name, got[party] as number]);
}

/** Whether the larger name wins ties, from the template's UID: FNV-1a, 32 bits, odd. */
export function largerNameWins(uid: string): boolean {
  if (uid === '') return false;
  let hash = 2166136261;
  for (const byte of utf8Of(uid)) hash = Math.imul(hash ^ byte, 16777619);
  return (hash & 1) === 1;
}

function utf8Of(text: string): readonly number[] {
  const escaped = encodeURIComponent(text);
  const units = escaped.match(/%[0-9A-F]{2}|[^%]/g) ?? [];
  return units.map((unit) =>
    unit.length === 1 ? unit.charCodeAt(0) : parseInt(unit.slice(1), 16),
  );
}

/**
 * The same over parties in ascending name order. Takes O(parties × log parties) however many seats there are: seats that a
 * party gets for certain are given at once, the last few one by one from a heap (ADR 0022).
 */
export function apportionSeats(
  seats: number,
  votes: ArrayLike<number>,
  options: {
    readonly largerNameWins: boolean;
    readonly initial?: ArrayLike<number>;
    /** Called for the last seat. */
    readonly onLast?: (last: LastAward) => void;
  },
): Float64Array {
  const { initial, onLast } = options;
  const got = initial === undefined ? new Float64Array(votes.length) : Float64Array.from(initial);
  if (votes.length === 0) return got;
  let left = seats - giveCertain(seats, votes, got);
  if (left <= 0) return got;
  const heap = makeHeap(votes, got, options.largerNameWins);
  for (; left > 0; left -= 1) {
    const party = heap.top();
    if (left === 1 && onLast) onLast(awardOf(party, heap.second(), got));
    got[party] = (got[party] as number) + 1;
    heap.sink();
  }
  return got;
}

/** Parties by their rank, with the seats that they had before. */
export interface LastAward {
  readonly party: number;
  readonly seatsBefore: number;
  /** Who was next in line. */
  readonly runnerUp?: { readonly party: number; readonly seats: number };
}

function awardOf(party: number, second: number | undefined, got: Float64Array): LastAward {
  const seatsBefore = got[party] as number;
  if (second === undefined) return { party, seatsBefore };
  return { party, seatsBefore, runnerUp: { party: second, seats: got[second] as number } };
}

/**
 * Give each party the seats whose priority is above a limit so high that all of them together are fewer than `seats`; they
 * are among the seats that the method gives, whatever the order. Returns how many were given.
 */
function giveCertain(seats: number, votes: ArrayLike<number>, got: Float64Array): number {
  const parties = votes.length;
  // A seat k has priority v / (2k + 1), so a limit L leaves at most (v / L + 1) / 2 seats above it.
  const spare = seats - 1.5 * parties - 2;
  if (spare <= parties) return 0;
  let sum = 0;
  for (let party = 0; party < parties; party += 1) {
    const weight = votes[party] as number;
    if (!(weight >= 0) || (got[party] as number) > 0) return 0;
    sum += weight;
  }
  if (!(sum > 0) || !Number.isFinite(sum)) return 0;
  const limit = sum / (2 * spare);
  let given = 0;
  for (let party = 0; party < parties; party += 1) {
    const weight = votes[party] as number;
    let certain = Math.max(0, Math.floor((weight / limit + 1) / 2) - 1);
    while (certain > 0 && !(weight / (2 * certain - 1) > limit)) certain -= 1;
    got[party] = certain;
    given += certain;
  }
  return given;
}

interface Heap {
  readonly top: () => number;
  readonly second: () => number | undefined;
  /** Restore the order after the top party's seats changed. */
  readonly sink: () => void;
}

/** A binary heap of parties; the first is next in line. */
function makeHeap(votes: ArrayLike<number>, got: Float64Array, larger: boolean): Heap {
  const size = votes.length;
  const order = Int32Array.from({ length: size }, (_, party) => party);
  const priority = Float64Array.from(
    votes,
    (weight, party) => weight / (2 * (got[party] as number) + 1),
  );
  const precedes = (a: number, b: number): boolean => {
    const x = priority[a] as number;
    const y = priority[b] as number;
    if (x !== y) return x > y;
    const seatsA = got[a] as number;
    const seatsB = got[b] as number;
    if (seatsA !== seatsB) return seatsA < seatsB;
    return larger ? a > b : a < b;
  };
  const siftDown = (start: number): void => {
    const moving = order[start] as number;
    let hole = start;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= size) break;
      if (child + 1 < size && precedes(order[child + 1] as number, order[child] as number))
        child += 1;
      if (!precedes(order[child] as number, moving)) break;
      order[hole] = order[child] as number;
      hole = child;
    }
    order[hole] = moving;
  };
  for (let start = (size >> 1) - 1; start >= 0; start -= 1) siftDown(start);
  return {
    top: () => order[0] as number,
    second: () => {
      if (size < 2) return undefined;
      const left = order[1] as number;
      const right = order[2];
      return right !== undefined && precedes(right, left) ? right : left;
    },
    sink: () => {
      const party = order[0] as number;
      priority[party] = (votes[party] as number) / (2 * (got[party] as number) + 1);
      siftDown(0);
    },
  };
}
