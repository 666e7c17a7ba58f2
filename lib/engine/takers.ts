import type { TargetCluster } from '../api/resource-binding.js';
import { compareBy, compareNumbers, descending, inOrder, sorted } from './compare.js';
import type { ObjectRef } from './object.js';
import { refKey } from './object.js';

/** A binding that took room before another one was decided. */
export interface Taker {
  readonly resource: ObjectRef;
  /** Replicas it took beyond what the snapshot shows, on clusters where the other one fits. */
  readonly replicas: number;
  /** Schedule priority, where it has one. */
  readonly priority?: number;
}

/** What was taken in one plan so far, in the order of taking. */
export interface Takings {
  readonly note: (
    binding: { readonly resource: ObjectRef; readonly priority: number | undefined },
    before: readonly TargetCluster[],
    now: readonly TargetCluster[],
  ) => void;
  /** Who has taken room until now; asked later, about some clusters: most replicas first, then by resource key. */
  readonly soFar: () => (clusters: ReadonlySet<string>) => readonly Taker[];
}

interface Taking {
  readonly resource: ObjectRef;
  readonly priority: number | undefined;
  readonly grown: readonly TargetCluster[];
}

export function createTakings(): Takings {
  const takings: Taking[] = [];
  return {
    note: ({ resource, priority }, before, now) => {
      const had = new Map(before.map(({ name, replicas = 0 }) => [name, replicas]));
      const grown = now
        .map(({ name, replicas = 0 }) => ({ name, replicas: replicas - (had.get(name) ?? 0) }))
        .filter(({ replicas }) => replicas > 0);
      if (grown.length > 0) takings.push({ resource, priority, grown });
    },
    soFar: () => {
      const { length } = takings;
      return (clusters) => takersOn(takings.slice(0, length), clusters);
    },
  };
}

function takersOn(takings: readonly Taking[], clusters: ReadonlySet<string>): readonly Taker[] {
  const takers = takings.flatMap(({ resource, priority, grown }): Taker[] => {
    let replicas = 0;
    for (const share of grown) if (clusters.has(share.name)) replicas += share.replicas ?? 0;
    return replicas === 0
      ? []
      : [{ resource, replicas, ...(priority !== undefined && { priority }) }];
  });
  return sorted(
    takers,
    inOrder<Taker>(
      descending((a, b) => compareNumbers(a.replicas, b.replicas)),
      compareBy(({ resource }) => refKey(resource)),
    ),
  );
}
