import type { KubeObject } from '../../api/object.js';
import { findPriorityFault } from './binding-for.js';
import type { ClaimInput } from './decided-claim.js';
import type { Policy } from './policy.js';

/** What every API server has. */
const SYSTEM_CLASSES: readonly (readonly [string, number])[] = [
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
];

/** Values of the PriorityClasses among some objects, and of the two that every API server has. */
export function priorityClassesOf(objects: Iterable<KubeObject>): ReadonlyMap<string, number> {
  const classes = new Map(SYSTEM_CLASSES);
  for (const { apiVersion, kind, metadata, value } of objects) {
    if (apiVersion !== 'scheduling.k8s.io/v1' || kind !== 'PriorityClass') continue;
    classes.set(metadata.name ?? '', typeof value === 'number' ? value : 0);
  }
  return classes;
}

/** As `findPriorityFault`, for a policy of a plan. Policies without a priority cost nothing. */
export function priorityFault(
  template: KubeObject,
  policy: Policy,
  input: ClaimInput,
): string | undefined {
  if (policy.spec.schedulePriority === undefined) return undefined;
  const priorityClasses = priorityClassesOf(input.templates.map(({ object }) => object));
  return findPriorityFault(template, policy, { gates: input.gates, priorityClasses });
}
