import type { ResourceBindingSpec, TargetCluster } from '../api/resource-binding.js';
import { compareNumbers, compareBy, inOrder, sorted } from './compare.js';
import type { Verdict } from './plan.js';
import { tryFindRejection } from './schedule/feasible.js';
import type { FleetIndex, Peers, ScheduleOutcome } from './schedule/index.js';
import { subjectOf } from './schedule/subject.js';

interface VerdictContext {
  readonly affinityName: string;
  readonly peers: Peers;
  /** Absent: the lock's answer was kept. */
  readonly outcome?: ScheduleOutcome | undefined;
}

/**
 * One verdict per cluster of the fleet: chosen first, each group by name. A cluster that passed every filter and was not
 * chosen says so; filters are asked as for a cluster that does not have the binding yet, except where it does.
 */
export function verdictsOf(
  fleet: FleetIndex,
  spec: ResourceBindingSpec,
  chosen: readonly TargetCluster[],
  context: VerdictContext,
): readonly Verdict[] {
  const taken = new Map(chosen.map((c) => [c.name, c]));
  const subject = subjectOf(fleet, spec, {
    affinityName: context.affinityName,
    peers: context.peers,
  });
  const verdicts = fleet.clusters.map((cluster): Verdict => {
    const share = taken.get(cluster.name);
    if (share !== undefined)
      return {
        cluster: cluster.name,
        chosen: true,
        message: context.outcome === undefined ? 'stays' : 'chosen',
      };
    if (cluster.isDeleting)
      return {
        cluster: cluster.name,
        chosen: false,
        code: 'Deleting',
        message: 'the cluster is being removed',
      };
    const rejection = tryFindRejection(subject, cluster);
    if (rejection === undefined)
      return {
        cluster: cluster.name,
        chosen: false,
        code: 'NotSelected',
        message: 'fits, but was not selected',
      };
    return {
      cluster: cluster.name,
      chosen: false,
      code: rejection.filter.name,
      cause: rejection.reason,
      message: rejection.reason,
    };
  });
  return sorted(
    verdicts,
    inOrder<Verdict>(
      (a, b) => compareNumbers(a.chosen ? 0 : 1, b.chosen ? 0 : 1),
      compareBy((v) => v.cluster),
    ),
  );
}
