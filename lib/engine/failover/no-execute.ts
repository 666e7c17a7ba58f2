import type { Taint } from '../../api/cluster.js';
import type { Placement, Toleration as PlacementToleration } from '../../api/placement.js';
import { tolerates } from '../schedule/filter/taint-toleration.js';

/** How long a placement bears the NoExecute taints of a cluster. */
export type Toleration =
  | { readonly kind: 'forever' }
  /** Whole or fractional seconds from now, more than 0. */
  | { readonly kind: 'until'; readonly seconds: number; readonly taint: Taint }
  /** `expired`: it was tolerated for a while. */
  | { readonly kind: 'evict'; readonly taint: Taint; readonly reason: 'untolerated' | 'expired' };

/**
 * Whether a placement tolerates the NoExecute taints of a cluster, and until when.
 *
 * The first toleration that covers a taint is the one used for it. Each used toleration with a time limit starts the
 * clock of every taint it covers; the earliest deadline counts. Taints without `timeAdded` have none.
 * `placement` is the one the binding was scheduled under. Source: scheduling reference §18.2.
 */
export function tolerationOfTaints(
  taints: readonly Taint[],
  placement: Pick<Placement, 'clusterTolerations'>,
  now: string,
): Toleration {
  const active = taints.filter((taint) => taint.effect === 'NoExecute');
  const used = new Set<PlacementToleration>();
  for (const taint of active) {
    const toleration = placement.clusterTolerations?.find((one) => tolerates(one, taint));
    if (toleration === undefined) return { kind: 'evict', taint, reason: 'untolerated' };
    used.add(toleration);
  }
  const first = earliestDeadline(active, used);
  if (first === undefined) return { kind: 'forever' };
  const seconds = (first.deadline - Date.parse(now)) / 1000;
  if (seconds <= 0) return { kind: 'evict', taint: first.taint, reason: 'expired' };
  return { kind: 'until', seconds, taint: first.taint };
}

interface Deadline {
  /** Milliseconds of the epoch. */
  readonly deadline: number;
  readonly taint: Taint;
}

function earliestDeadline(
  taints: readonly Taint[],
  used: ReadonlySet<PlacementToleration>,
): Deadline | undefined {
  let first: Deadline | undefined;
  for (const toleration of used) {
    const { tolerationSeconds } = toleration;
    if (tolerationSeconds === undefined) continue;
    for (const taint of taints) {
      if (taint.timeAdded === undefined || !tolerates(toleration, taint)) continue;
      const deadline = Date.parse(taint.timeAdded) + tolerationSeconds * 1000;
      if (first === undefined || deadline < first.deadline) first = { deadline, taint };
    }
  }
  return first;
}
