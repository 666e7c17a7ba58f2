import { apportionSeats } from './apportion.js';
import type { DivisionTrace, LastSeat } from './division-trace.js';
import type { Share } from './shares.js';

/**
 * Apportion replicas to clusters by weight; the result is in name order and lists every party, also with 0. A total weight
 * of 0 gives nobody anything and an empty result. Source: scheduling reference §12.
 *
 * @param parties `replicas` is the weight
 */
export function apportionShares(
  replicas: number,
  parties: readonly Share[],
  largerNameWins: boolean,
  trace: DivisionTrace | undefined,
  title: string,
): readonly Share[] {
  if (parties.every((party) => party.replicas === 0) || sumOf(parties) === 0) return [];
  const ordered = [...parties].sort((a, b) => a.position - b.position);
  const votes = Float64Array.from(ordered, (party) => party.replicas);
  let last: LastSeat | undefined;
  const priorityOf = (party: number, seats: number): number =>
    (votes[party] as number) / (2 * seats + 1);
  const seats = apportionSeats(replicas, votes, {
    largerNameWins,
    ...(trace && {
      onLast: ({ party, seatsBefore, runnerUp }) => {
        last = {
          position: (ordered[party] as Share).position,
          priority: priorityOf(party, seatsBefore),
          ...(runnerUp !== undefined && {
            next: {
              position: (ordered[runnerUp.party] as Share).position,
              priority: priorityOf(runnerUp.party, runnerUp.seats),
            },
          }),
        };
      },
    }),
  });
  const shares = ordered.map(({ position }, party) => ({
    position,
    replicas: seats[party] as number,
  }));
  trace?.(title, replicas, ordered, shares, last);
  return shares;
}

function sumOf(parties: readonly Share[]): number {
  return parties.reduce((sum, { replicas }) => sum + replicas, 0);
}
