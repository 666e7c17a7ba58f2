import { describeRef, groupOf } from '../object.js';
import type { BindingGoal } from './goal.js';
import type { BindingView, ItemView } from './view.js';
import { own } from '../own.js';

/** Whether one binding is done on one cluster, and what is missing. */
export interface Stage {
  readonly passed: boolean;
  /** Empty when passed. */
  readonly waitingFor: string;
  /** What to look at when it stays so. */
  readonly hint?: string;
}

/**
 * Whether a cluster runs the template's generation, all of it.
 *
 * Not asked: `Healthy`, which is true before a rollout is finished; `FullyApplied`, which is true for outdated manifests; the
 * template's `observedGeneration`, which moves after the last cluster only. Source: lifecycle reference §6.6.
 */
export function stageOf(goal: BindingGoal, view: BindingView | undefined, cluster: string): Stage {
  const share = goal.shares.find((one) => one.cluster === cluster);
  if (share === undefined || goal.leaving.includes(cluster))
    return { passed: true, waitingFor: '' };
  const what = describeRef(goal.resource);
  const work = view?.works.find((one) => one.cluster === cluster);
  if (view === undefined) return waiting(`${what}: its binding does not exist`);
  if (work === undefined) return waiting(`${what}: no Work exists`, OVERRIDE_HINT);
  if (goal.generation !== undefined && (work.generation ?? goal.generation) < goal.generation) {
    return waiting(
      `${what}: the Work has generation ${work.generation ?? 'none'} of ${goal.generation}`,
      OVERRIDE_HINT,
    );
  }
  if (work.isSuspended) return waiting(`${what}: the Work is suspended`);
  if (!work.isDispatching) return waiting(`${what}: the Work is not dispatched yet`);
  if (!work.isApplied) {
    const why = work.appliedMessage === undefined ? '' : `: ${work.appliedMessage}`;
    return waiting(`${what} is not applied${why}`);
  }
  const item = view.items.find((one) => one.cluster === cluster);
  if (item?.isApplied !== true) return waiting(`${what}: no status yet`);
  const missing = missingIn(goal, item, share.replicas);
  return missing === undefined ? { passed: true, waitingFor: '' } : waiting(`${what}: ${missing}`);
}

/**
 * Whether a cluster has observed the template's generation: its status is of that generation or a later one and, for kinds whose
 * controllers say so, they have seen the member's object as it is. Kinds without either: dispatched and applied with it.
 */
export function hasObserved(goal: BindingGoal, view: BindingView, cluster: string): boolean {
  const { resource, generation = 0 } = goal;
  const work = view.works.find((one) => one.cluster === cluster);
  const item = view.items.find((one) => one.cluster === cluster);
  if (work === undefined || item?.isApplied !== true) return false;
  const reported = numberOf(item.status['resourceTemplateGeneration']);
  if (reported === undefined) {
    const isThere = work.isApplied && work.isDispatching && !work.isSuspended;
    return isThere && (work.generation ?? generation) >= generation;
  }
  return reported >= generation && (countsOf(resource)?.isObserved !== true || isSeen(item));
}

const OVERRIDE_HINT =
  'Karmada could not build the manifest for this cluster and says so nowhere else: look for an override policy that fails on it (kubectl describe the ResourceBinding shows the event).';

function waiting(waitingFor: string, hint?: string): Stage {
  return { passed: false, waitingFor, ...(hint !== undefined && { hint }) };
}

function missingIn(
  { resource, generation }: BindingGoal,
  { status, health }: ItemView,
  replicas: number | undefined,
): string | undefined {
  const reported = status['resourceTemplateGeneration'];
  const counts = countsOf(resource);
  // Kinds whose status Karmada does not mark with a generation: applied, and not known to be ill, is all there is to know.
  if (counts === undefined && reported === undefined)
    return health === 'Unhealthy' ? 'unhealthy' : undefined;
  if (generation !== undefined && (numberOf(reported) ?? 0) < generation)
    return `its status is of generation ${numberOf(reported) ?? 'none'}, not ${generation}`;
  if (counts?.isObserved === true && !isSeen({ status }))
    return 'its controller has not observed it';
  if (counts === undefined) return health === 'Healthy' ? undefined : health.toLowerCase();
  return missingCount(counts, status, replicas);
}

/** The member's controller has seen the member's object as it is. */
function isSeen({ status }: Pick<ItemView, 'status'>): boolean {
  const observed = numberOf(status['observedGeneration']) ?? 0;
  return observed >= (numberOf(status['generation']) ?? Infinity);
}

interface Counts {
  /** Whether Karmada reflects `observedGeneration` for the kind. */
  readonly isObserved: boolean;
  /** Field that has the wanted count when the binding has none. */
  readonly wanted: string;
  /** Fields that must all reach it. */
  readonly reached: readonly (readonly [field: string, what: string])[];
}

/** Groups whose Deployments, StatefulSets and DaemonSets count alike; elsewhere the names mean something else. */
const COUNTED = new Set(['apps', 'apps.kruise.io']);

const COUNTS: Readonly<Record<string, Counts>> = {
  Deployment: {
    isObserved: true,
    wanted: 'replicas',
    reached: [
      ['updatedReplicas', 'updated'],
      // More than wanted: old pods are still there.
      ['replicas', 'present'],
      ['availableReplicas', 'available'],
    ],
  },
  StatefulSet: {
    isObserved: false,
    wanted: 'replicas',
    reached: [
      ['updatedReplicas', 'updated'],
      ['replicas', 'present'],
      ['availableReplicas', 'available'],
    ],
  },
  DaemonSet: {
    isObserved: true,
    wanted: 'desiredNumberScheduled',
    reached: [
      ['updatedNumberScheduled', 'updated'],
      ['numberAvailable', 'available'],
    ],
  },
};

function countsOf({ apiVersion, kind }: BindingGoal['resource']): Counts | undefined {
  return COUNTED.has(groupOf(apiVersion)) ? own(COUNTS, kind) : undefined;
}

function missingCount(
  counts: Counts,
  status: Readonly<Record<string, unknown>>,
  replicas: number | undefined,
): string | undefined {
  const wanted = replicas ?? numberOf(status[counts.wanted]) ?? 0;
  for (const [field, what] of counts.reached) {
    const count = numberOf(status[field]) ?? 0;
    if (count !== wanted) return `${count} of ${wanted} ${what}`;
  }
  const unavailable = numberOf(status['unavailableReplicas']) ?? 0;
  return unavailable === 0 ? undefined : `${unavailable} unavailable`;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
