import type { Cluster } from '../../api/cluster.js';
import type { Placement } from '../../api/placement.js';
import type { ResourceBindingSpec } from '../../api/resource-binding.js';
import { describeTaint } from '../schedule/filter/taint-toleration.js';
import type { Gates } from '../schedule/gates.js';
import { evictFrom, purgeModeFor, TAINT_EVICTION } from './evict-from.js';
import { tolerationOfTaints, type Toleration } from './no-execute.js';

/** Why a binding leaves a cluster, or will. */
export interface Eviction {
  readonly cluster: string;
  readonly toleration: Exclude<Toleration, { readonly kind: 'forever' }>;
  /** For people, e.g. `taint gpu=true:NoExecute is not tolerated`. */
  readonly reason: string;
}

export interface Evicted {
  /** The binding without the clusters it leaves; they have become eviction tasks. */
  readonly spec: ResourceBindingSpec;
  /** In the order of the target list. */
  readonly leaving: readonly Eviction[];
  /** Clusters it will have to leave, with the time left. */
  readonly pending: readonly Eviction[];
}

/**
 * Take a binding off the clusters whose NoExecute taints it does not tolerate.
 *
 * The tolerations are those of the placement it was scheduled under (`applied`). Nothing happens unless the gates
 * `Failover` and `noExecuteTaintEviction` are on, nor to a binding that was never scheduled. Whether the replicas find
 * another place is not known here: a caller that cannot place them keeps the binding it had.
 */
export function evictUntolerated(
  spec: ResourceBindingSpec,
  applied: Placement | undefined,
  clusters: ReadonlyMap<string, Cluster>,
  now: string,
  gates: Pick<Gates, 'Failover' | 'noExecuteTaintEviction'>,
  purgeModeFlag: 'Directly' | 'Gracefully' = 'Gracefully',
): Evicted {
  const unchanged = { spec, leaving: [], pending: [] };
  if (!gates.Failover || !gates.noExecuteTaintEviction || applied === undefined) return unchanged;
  if (clusters.size === 0) return unchanged;
  const leaving: Eviction[] = [];
  const pending: Eviction[] = [];
  for (const { name } of spec.clusters ?? []) {
    const taints = clusters.get(name)?.spec?.taints ?? [];
    const toleration = tolerationOfTaints(taints, applied, now);
    if (toleration.kind === 'forever') continue;
    const eviction = { cluster: name, toleration, reason: describeToleration(toleration) };
    if (toleration.kind === 'evict') leaving.push(eviction);
    else pending.push(eviction);
  }
  if (leaving.length === 0) return { ...unchanged, pending };
  const record = {
    ...TAINT_EVICTION,
    purgeMode: purgeModeFor(spec, purgeModeFlag),
    creationTimestamp: now,
  };
  const left = leaving.reduce((current, { cluster }) => evictFrom(current, cluster, record), spec);
  return { spec: left, leaving, pending };
}

function describeToleration(toleration: Eviction['toleration']): string {
  const taint = describeTaint(toleration.taint);
  if (toleration.kind === 'until') {
    return `taint ${taint} is tolerated for another ${Math.ceil(toleration.seconds)} s`;
  }
  return toleration.reason === 'untolerated'
    ? `taint ${taint} is not tolerated`
    : `taint ${taint} was tolerated for its time`;
}
