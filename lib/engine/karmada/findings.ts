import { compareDiagnostics, type Diagnostic } from '../diagnostic.js';
import { describeRef, refKey } from '../object.js';
import type { Plan } from '../plan.js';

/**
 * Changed objects that reach every cluster at once, whatever their workload waits for: dependencies have bindings of their own,
 * which do not inherit the suspension (lifecycle reference §10). One finding each, sorted.
 */
export function diagnoseDependencies(plan: Plan): readonly Diagnostic[] {
  const changed = new Set(
    plan.changes
      .filter(({ action }) => action === 'update' || action === 'replace')
      .map(({ resource }) => refKey(resource)),
  );
  return plan.bindings
    .filter(({ policy, follows, resource }) => {
      return policy === null && follows.length > 0 && changed.has(refKey(resource));
    })
    .map(({ resource, follows }): Diagnostic => {
      const leaders = follows.map((one) => describeRef(one.resource)).join(', ');
      return {
        code: 'KARMADA_DEPENDENCY_NOT_HELD',
        severity: 'warning',
        resource,
        summary: `${describeRef(resource)} changes on all clusters at once: Karmada does not suspend it together with ${leaders}.`,
        hint: `Put the content into the name (${resource.name}-2) so that the workload picks it up with its own wave, or select it in a propagation policy, which is then stepped like the others.`,
      };
    })
    .sort(compareDiagnostics);
}
