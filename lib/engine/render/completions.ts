import type { KubeObject } from '../../api/object.js';
import type { Placement } from '../../api/placement.js';
import type { TargetCluster } from '../../api/resource-binding.js';
import { wholeNumberAt } from '../interpret/pod/workload.js';
import { apportion } from '../schedule/divide/apportion.js';

/**
 * Each cluster's share of a Job's completions, in proportion to its replicas (Webster; ties as everywhere by the seed).
 *
 * `undefined` where completions stay as they are: other kinds, no `completions`, not Divided, nothing to weigh by. The
 * kind is told by its name alone. Source: lifecycle reference §6.3.
 */
export function divideCompletions(
  template: KubeObject,
  binding: { readonly replicas?: number | undefined; readonly placement?: Placement | undefined },
  targets: readonly TargetCluster[],
  seed: string,
): ReadonlyMap<string, number> | undefined {
  if (template.kind !== 'Job' || (binding.replicas ?? 0) <= 0) return undefined;
  if (binding.placement?.replicaScheduling?.replicaSchedulingType !== 'Divided') return undefined;
  const completions = wholeNumberAt(template, 'completions');
  const votes = targets.map(({ name, replicas = 0 }) => [name, replicas] as const);
  if (completions === undefined || votes.every(([, replicas]) => replicas === 0)) return undefined;
  return new Map(apportion(completions, votes, seed));
}
