import type { ResourceBindingSpec, ResourceBindingStatus } from '../../api/resource-binding.js';
import { isWorkload } from '../workload.js';
import { canonicalJson, equalData } from '../canonical.js';
import type { PlacementHints } from './beyond/hints.js';
import { keepsHints } from './beyond/kept.js';
import type { FleetIndex } from './fleet-index.js';
import type { Gates } from './gates.js';
import { parsePlacement, withoutZeroValues, type PlacementData } from './placement-change.js';

/** Whether a binding is decided (again), and what made it so. */
export type Trigger =
  | { readonly yes: true; readonly why: TriggerReason }
  | { readonly yes: false; readonly why: 'satisfied' };

export type TriggerReason =
  | 'placement changed'
  | 'replicas changed'
  | 'reschedule requested'
  | 'not a workload'
  | 'duplicated'
  | 'cluster is being deleted'
  /** Beyond Karmada: the assignment breaks a hint of the policy. */
  | 'hints not kept';

/**
 * Whether Karmada would schedule a binding that came up; if not, what it has stays. So a divided workload whose replicas add
 * up is not moved by labels, taints or capacity. Source: scheduling reference §5.3 to 5.5.
 *
 * @param appliedPlacement annotation `policy.karmada.io/applied-placement`, or the placement it holds; empty: never scheduled
 */
export function needsScheduling(
  fleet: FleetIndex,
  binding: {
    readonly spec: ResourceBindingSpec;
    readonly status?: ResourceBindingStatus | undefined;
    readonly appliedPlacement?: string | PlacementData | undefined;
    readonly hints?: PlacementHints | undefined;
  },
  gates: Pick<Gates, 'MultiplePodTemplatesScheduling'>,
): Trigger {
  const { spec, status = {}, appliedPlacement = '', hints } = binding;
  if (isPlacementChanged(spec, status, appliedPlacement)) return yes('placement changed');
  if (areReplicasChanged(spec, gates)) return yes('replicas changed');
  if (isRescheduleRequired(spec, status)) return yes('reschedule requested');
  if (!isWorkload(spec)) return yes('not a workload');
  if (schedulingType(spec) === 'Duplicated') return yes('duplicated');
  const isLeaving = (spec.clusters ?? []).some(({ name }) => {
    const position = fleet.positionOf.get(name);
    return position !== undefined && fleet.clusters[position]?.isDeleting === true;
  });
  if (isLeaving) return yes('cluster is being deleted');
  if (hints !== undefined && !keepsHints(fleet, spec, hints)) return yes('hints not kept');
  return { yes: false, why: 'satisfied' };
}

function yes(why: TriggerReason): Trigger {
  return { yes: true, why };
}

/** A reschedule was asked for after the last scheduling; both times in whole seconds. */
export function isRescheduleRequired(
  { rescheduleTriggeredAt }: ResourceBindingSpec,
  { lastScheduledTime }: ResourceBindingStatus,
): boolean {
  if (rescheduleTriggeredAt === undefined || lastScheduledTime === undefined) return false;
  return Date.parse(rescheduleTriggeredAt) > Date.parse(lastScheduledTime);
}

function schedulingType({ placement }: ResourceBindingSpec): string {
  const strategy = placement?.replicaScheduling;
  return strategy === undefined ? 'Duplicated' : (strategy.replicaSchedulingType ?? '');
}

function areReplicasChanged(
  spec: ResourceBindingSpec,
  gates: Pick<Gates, 'MultiplePodTemplatesScheduling'>,
): boolean {
  const { clusters = [], components = [], replicas = 0, placement } = spec;
  if (placement?.replicaScheduling === undefined) return false;
  if (gates.MultiplePodTemplatesScheduling && components.length > 0 && clusters.length === 0)
    return true;
  if (schedulingType(spec) === 'Duplicated') {
    return clusters.some((cluster) => (cluster.replicas ?? 0) !== replicas);
  }
  if (schedulingType(spec) !== 'Divided') return false;
  let sum = 0;
  for (const cluster of clusters) sum = (sum + (cluster.replicas ?? 0)) | 0;
  return sum !== replicas;
}

const COMPARED = [
  'clusterAffinity',
  'clusterTolerations',
  'spreadConstraints',
  'replicaScheduling',
] as const;

function isPlacementChanged(
  { placement }: ResourceBindingSpec,
  status: ResourceBindingStatus,
  appliedPlacement: string | PlacementData,
): boolean {
  if (appliedPlacement === '') return true;
  const parsed =
    typeof appliedPlacement === 'string' ? parsePlacement(appliedPlacement) : appliedPlacement;
  if (parsed === undefined || equalData(parsed, placement ?? {})) return false;
  const applied = withoutZeroValues(parsed);
  const wanted = withoutZeroValues(placement ?? {});
  if (canonicalJson(applied) === canonicalJson(wanted)) return false;
  if (COMPARED.some((field) => canonicalJson(applied[field]) !== canonicalJson(wanted[field])))
    return true;
  const observed = status.schedulerObservingAffinityName ?? '';
  if (observed === '') return true;
  const before = termText(applied['clusterAffinities'], observed);
  const now = termText(wanted['clusterAffinities'], observed);
  return before === undefined || now === undefined || before !== now;
}

function termText(terms: unknown, name: string): string | undefined {
  if (!Array.isArray(terms)) return undefined;
  const term = (terms as readonly { affinityName?: unknown }[]).find(
    (one) => one.affinityName === name,
  );
  return term && canonicalJson(term);
}
