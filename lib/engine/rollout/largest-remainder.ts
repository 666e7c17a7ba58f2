import { compareBy, descending, inOrder, sorted } from '../compare.js';

/**
 * Share `total` whole things out in proportion to non-negative whole weights; the shares add up to `total`.
 *
 * Hamilton's method: each party gets the floor of its quota, what is left goes to the largest remainders, ties to the
 * party that comes first. All weights zero: all shares zero.
 *
 * @example largestRemainder(10, [25, 25, 50]) // [3, 2, 5]
 */
export function largestRemainder(total: number, weights: readonly number[]): readonly number[] {
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  if (weightSum === 0) return weights.map(() => 0);
  const parties = weights.map((weight, index) => ({
    index,
    seats: Math.floor((total * weight) / weightSum),
    // Remainders as whole numbers over the common divisor, so that ties are exact.
    remainder: (total * weight) % weightSum,
  }));
  const unseated = total - parties.reduce((sum, party) => sum + party.seats, 0);
  const lucky = new Set(
    sorted(
      parties,
      inOrder(
        descending(compareBy((party) => party.remainder)),
        compareBy((party) => party.index),
      ),
    )
      .slice(0, unseated)
      .map((party) => party.index),
  );
  return parties.map((party) => party.seats + (lucky.has(party.index) ? 1 : 0));
}
