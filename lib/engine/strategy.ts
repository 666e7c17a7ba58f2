import type { ResourceBindingSpec } from '../api/resource-binding.js';
import { isWorkload } from './workload.js';

/** How replicas are divided, for people: `Duplicated`, `Divided by available replicas`, …; empty for kinds without. */
export function describeStrategy(spec: ResourceBindingSpec | undefined): string {
  if (spec === undefined || !isWorkload(spec)) return '';
  const scheduling = spec.placement?.replicaScheduling;
  if (scheduling === undefined || scheduling.replicaSchedulingType === 'Duplicated')
    return 'Duplicated';
  if (scheduling.replicaDivisionPreference === 'Aggregated') return 'Divided, aggregated';
  const { weightPreference } = scheduling;
  if (weightPreference === undefined) return 'Divided evenly';
  return weightPreference.dynamicWeight === undefined
    ? 'Divided by static weights'
    : 'Divided by available replicas';
}
