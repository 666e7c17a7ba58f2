import type { ResourceBindingSpec } from '../api/resource-binding.js';
import type { PlacedBinding } from './binding.js';
import { compareBy, sorted } from './compare.js';
import type { PlannedBinding } from './plan.js';
import type { ScheduleOutcome } from './schedule/index.js';
import type { Taker, Takings } from './takers.js';
import { isWorkload } from './workload.js';

/** Clusters fit, but have too little room: not a matter of filters or of spread. */
export function lacksRoom(outcome: ScheduleOutcome | undefined): boolean {
  if (outcome?.error === undefined) return false;
  return outcome.reason === 'Unschedulable' || outcome.error.isRoom === true;
}

/** Who had been decided before, and took room on clusters where this one fits. */
export function takersOf(
  takings: Takings,
  verdicts: PlacedBinding['verdicts'],
): () => readonly Taker[] {
  const askAbout = takings.soFar();
  return () =>
    askAbout(
      new Set(
        verdicts()
          .filter(({ chosen, code }) => chosen || code === 'NotSelected' || code === 'NotReady')
          .map(({ cluster }) => cluster),
      ),
    );
}

/** A decision that was not taken, as the plan shows it. */
export function describeFresh(
  { reason, error, clusters }: ScheduleOutcome,
  spec: ResourceBindingSpec,
): NonNullable<PlannedBinding['fresh']> {
  if (reason !== 'Success') return { kind: 'failed', reason: error?.message ?? reason };
  const shares = clusters.map(({ name, replicas }) => ({
    cluster: name,
    ...(isWorkload(spec) && replicas !== undefined && { replicas }),
  }));
  return {
    kind: 'placed',
    clusters: sorted(
      shares,
      compareBy((share) => share.cluster),
    ),
  };
}
