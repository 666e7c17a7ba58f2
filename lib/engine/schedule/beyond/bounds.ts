import { compileAffinity, type ClusterPredicate } from '../affinity.js';
import type { ClusterFacts } from '../cluster-facts.js';
import { apportionSeats } from '../divide/apportion.js';
import type { Share } from '../divide/shares.js';
import { fail, succeed, type Attempt } from '../outcome.js';
import type { ReplicaBound } from './hints.js';

/** One cluster in a bounded division. */
export interface BoundedParty {
  readonly position: number;
  /** Replicas that the division without bounds gives. */
  readonly share: number;
  readonly min: number;
  /** The bound, or the room if that is less. */
  readonly max: number;
}

/**
 * Shares within bounds, nearest to the shares without.
 *
 * Every cluster gets its minimum; the rest goes seat by seat, by Webster's method with the unbounded shares as weights, to
 * clusters below their maximum. So bounds that hold already change nothing, and the sum stays.
 *
 * @param parties sorted by position; shares sum to `replicas`
 */
export function boundShares(
  replicas: number,
  parties: readonly BoundedParty[],
  largerNameWins: boolean,
): Attempt<readonly Share[]> {
  const least = sumOf(parties, ({ min }) => min);
  const most = sumOf(parties, ({ max }) => max);
  if (least > replicas) {
    return fail(
      `the minimum replicas of ${parties.length} clusters are ${least}, more than ${replicas}`,
      'UnschedulableError',
    );
  }
  if (most < replicas) {
    return fail(
      `the clusters may hold ${most} replicas together, fewer than ${replicas}`,
      'UnschedulableError',
    );
  }
  const full: Share[] = [];
  let open = parties;
  let left = replicas;
  for (;;) {
    const seats = apportionSeats(
      left - sumOf(open, ({ min }) => min),
      open.map(({ share }) => share),
      { largerNameWins, initial: open.map(({ min }) => min) },
    );
    const isOver = ({ max }: BoundedParty, i: number): boolean => (seats[i] as number) > max;
    if (!open.some(isOver)) {
      const given = open.map(({ position }, i) => ({ position, replicas: seats[i] as number }));
      return succeed([...full, ...given].sort((a, b) => a.position - b.position));
    }
    // Clusters at their maximum leave; the others share what is left and can only get more.
    for (const { position, max } of open.filter(isOver)) {
      full.push({ position, replicas: max });
      left -= max;
    }
    open = open.filter((party, i) => !isOver(party, i));
  }
}

/** The bound of a cluster: the first that matches. */
export function boundFinder(
  bounds: readonly ReplicaBound[],
): (cluster: ClusterFacts) => { readonly min: number; readonly max: number } {
  const compiled = bounds.map(({ targetCluster, min = 0, max = Infinity }) => ({
    matches: targetCluster === undefined ? everywhere : compileAffinity(targetCluster),
    min,
    max,
  }));
  return (cluster) => compiled.find(({ matches }) => matches(cluster)) ?? { min: 0, max: Infinity };
}

const everywhere: ClusterPredicate = () => true;

function sumOf<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0);
}
