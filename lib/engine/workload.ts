import type { ResourceBindingSpec } from '../api/resource-binding.js';

/** Karmada's "is a workload": only those have replicas per cluster. */
export function isWorkload(
  spec: Pick<ResourceBindingSpec, 'replicas' | 'replicaRequirements' | 'components'>,
): boolean {
  return (
    (spec.replicas ?? 0) > 0 ||
    spec.replicaRequirements !== undefined ||
    (spec.components ?? []).length > 0
  );
}
