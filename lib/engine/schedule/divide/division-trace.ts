import type { ClusterFacts } from '../cluster-facts.js';
import type { Trace } from '../trace.js';
import type { Seat } from './apportion.js';
import type { Share } from './shares.js';

/** The last replica given in one apportionment, by fleet position. */
export interface LastSeat {
  readonly position: number;
  readonly priority: number;
  readonly next?: { readonly position: number; readonly priority: number };
}

/** Notes what one division did; absent when nobody asked. */
export type DivisionTrace = (
  title: string,
  replicas: number,
  parties: readonly Share[],
  got: readonly Share[],
  last?: LastSeat,
) => void;

/** Notes divisions by cluster name in the explanation. */
export function divisionTrace(clusters: readonly ClusterFacts[], trace: Trace): DivisionTrace {
  const nameOf = (position: number): string => clusters[position]?.name ?? '';
  return (title, replicas, parties, got, last) => {
    const given = new Map(got.map((share) => [share.position, share.replicas]));
    trace.division({
      title,
      replicas,
      parties: parties.map(({ position, replicas: weight }) => ({
        cluster: nameOf(position),
        weight,
        got: given.get(position) ?? 0,
      })),
      ...(last !== undefined && { lastSeat: seatOf(last, nameOf) }),
    });
  };
}

function seatOf(
  { position, priority, next }: LastSeat,
  nameOf: (position: number) => string,
): Seat {
  return {
    cluster: nameOf(position),
    priority,
    wasTie: next !== undefined && next.priority === priority,
    ...(next !== undefined && {
      next: { cluster: nameOf(next.position), priority: next.priority },
    }),
  };
}
