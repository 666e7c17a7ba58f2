import type { Cluster, ClusterCondition, Taint } from '../../api/cluster.js';

export interface Verdict {
  readonly type: string;
  readonly isTrue: boolean;
  readonly reason: string;
  readonly message: string;
}

/** Karmada's conditions; the time of the last change is kept while the status stays. */
export function toConditions(
  verdicts: readonly Verdict[],
  previous: Cluster | undefined,
  now: string,
): readonly ClusterCondition[] {
  return verdicts.map(({ type, isTrue, reason, message }) => {
    const status = isTrue ? 'True' : 'False';
    const before = previous?.status?.conditions?.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : undefined;
    return { type, status, reason, message, lastTransitionTime: lastTransitionTime ?? now };
  });
}

const NOT_READY = 'cluster.karmada.io/not-ready';
const UNREACHABLE = 'cluster.karmada.io/unreachable';

/** Taints as Karmada's cluster controller keeps them: `not-ready` while Ready is False, the user's own always. */
export function toTaints(previous: Cluster | undefined, isReady: boolean): readonly Taint[] {
  const own = (previous?.spec.taints ?? []).filter(
    ({ key, effect }) => effect !== 'NoSchedule' || (key !== NOT_READY && key !== UNREACHABLE),
  );
  return isReady ? own : [...own, { key: NOT_READY, effect: 'NoSchedule' }];
}
