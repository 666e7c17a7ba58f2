import type { KubeObject } from '../../api/object.js';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../api/resource-binding.js';
import type { WorkSpec, WorkStatus } from '../../api/work.js';
import { claimOn } from '../claim/marks.js';
import { compareBy, compareStrings, sorted } from '../compare.js';
import { MARKS, type PolicyRef } from '../plan.js';
import type { Share } from './goal.js';

/** One cluster's Work of a binding. */
export interface WorkView {
  readonly cluster: string;
  readonly isSuspended: boolean;
  /** Generation of the template that its manifest was made from; absent for kinds without. */
  readonly generation?: number;
  readonly isApplied: boolean;
  readonly appliedMessage?: string;
  /** Condition `Dispatching`: the execution controller has seen the release. */
  readonly isDispatching: boolean;
}

/** One cluster's item of `aggregatedStatus`. */
export interface ItemView {
  readonly cluster: string;
  readonly isApplied: boolean;
  readonly message?: string;
  readonly health: string;
  readonly status: Readonly<Record<string, unknown>>;
}

/** A binding with its Works, as far as stepping goes. Lists are sorted by cluster. */
export interface BindingView {
  /** The policy that has claimed the template; absent for what only follows others. */
  readonly policy?: PolicyRef;
  readonly shares: readonly Share[];
  readonly replicas?: number;
  readonly placement: unknown;
  /** The scheduler has seen the binding as it is. */
  readonly isScheduled: boolean;
  /** Why it was not, in the scheduler's words. */
  readonly schedulingFailure?: string;
  readonly isSuspendedWhole: boolean;
  /** Members keep their copies when the template is deleted. */
  readonly isPreserved: boolean;
  readonly suspended: readonly string[];
  readonly works: readonly WorkView[];
  readonly items: readonly ItemView[];
}

const EXECUTION_SPACE = 'karmada-es-';

/** `works` are those of this binding, in any order. */
export function toBindingView(binding: KubeObject, works: readonly KubeObject[]): BindingView {
  const spec = (binding['spec'] ?? {}) as Partial<ResourceBindingSpec>;
  const status = (binding['status'] ?? {}) as ResourceBindingStatus;
  const failure = status.conditions?.find(
    ({ type, status: is }) => type === 'Scheduled' && is === 'False',
  );
  const policy = claimOn(binding);
  return {
    ...(policy !== undefined && { policy }),
    shares: sorted(
      (spec.clusters ?? []).map(({ name, replicas }) => ({
        cluster: name,
        ...(replicas !== undefined && { replicas }),
      })),
      compareBy((share) => share.cluster),
    ),
    ...(spec.replicas !== undefined && { replicas: spec.replicas }),
    placement: spec.placement ?? {},
    isScheduled: status.schedulerObservedGeneration === binding.metadata.generation,
    ...(failure !== undefined && { schedulingFailure: failure.message ?? failure.reason ?? '' }),
    isSuspendedWhole: spec.suspension?.dispatching === true,
    isPreserved: spec.preserveResourcesOnDeletion === true,
    suspended: sorted(spec.suspension?.dispatchingOnClusters?.clusterNames ?? [], compareStrings),
    works: sorted(
      works.map(toWorkView),
      compareBy((work) => work.cluster),
    ),
    items: sorted(
      (status.aggregatedStatus ?? []).map((item) => ({
        cluster: item.clusterName,
        isApplied: item.applied === true,
        ...(item.appliedMessage !== undefined && { message: item.appliedMessage }),
        health: item.health ?? 'Unknown',
        status: (item.status ?? {}) as Readonly<Record<string, unknown>>,
      })),
      compareBy((item) => item.cluster),
    ),
  };
}

function toWorkView(work: KubeObject): WorkView {
  const spec = (work['spec'] ?? {}) as Partial<WorkSpec>;
  const { conditions = [] } = (work['status'] ?? {}) as WorkStatus;
  const manifest = spec.workload?.manifests?.[0] as KubeObject | undefined;
  const generation = Number(manifest?.metadata.annotations?.[MARKS.generation]);
  const applied = conditions.find(({ type }) => type === 'Applied');
  const dispatching = conditions.find(({ type }) => type === 'Dispatching');
  return {
    cluster: (work.metadata.namespace ?? '').slice(EXECUTION_SPACE.length),
    isSuspended: spec.suspendDispatching === true,
    ...(Number.isSafeInteger(generation) && { generation }),
    isApplied: applied?.status === 'True',
    ...(applied?.status === 'False' &&
      applied.message !== undefined && { appliedMessage: applied.message }),
    isDispatching: dispatching?.status === 'True',
  };
}
