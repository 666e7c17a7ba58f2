import type { KubeObject } from '../../api/object.js';
import { compareDiagnostics, type Diagnostic } from '../diagnostic.js';
import { describeRef, refKey } from '../object.js';
import type { Plan } from '../plan.js';
import { HOLD_DEPENDENCIES, holdDependencies } from './hold-dependencies.js';

/**
 * Changed objects that reach every cluster at once, whatever their workload waits for: dependencies have bindings of their own,
 * which do not inherit the suspension (lifecycle reference §10). Those whose workload's policy has them held are left out. One
 * finding each, sorted.
 */
export function diagnoseDependencies(
  plan: Plan,
  documents: readonly KubeObject[],
): readonly Diagnostic[] {
  const held = new Set(
    holdDependencies(plan, documents.filter(isPolicy)).map(({ binding }) =>
      refKey(binding.resource),
    ),
  );
  const changed = new Set(
    plan.changes
      .filter(({ action }) => action === 'update' || action === 'replace')
      .map(({ resource }) => refKey(resource)),
  );
  return plan.bindings
    .filter(({ policy, follows, resource }) => {
      return (
        policy === null &&
        follows.length > 0 &&
        changed.has(refKey(resource)) &&
        !held.has(refKey(resource))
      );
    })
    .map(({ resource, follows }): Diagnostic => {
      const leaders = follows.map((one) => describeRef(one.resource)).join(', ');
      return {
        code: 'KARMADA_DEPENDENCY_NOT_HELD',
        severity: 'warning',
        resource,
        summary: `${describeRef(resource)} changes on all clusters at once: Karmada does not suspend it together with ${leaders}.`,
        hint: `Annotate the policy of ${leaders} with ${HOLD_DEPENDENCIES}: "true", so that it gets a policy of its own and waits with each cluster's wave; or put the content into the name (${resource.name}-2), so that running pods never see it.`,
      };
    })
    .sort(compareDiagnostics);
}

const isPolicy = ({ kind }: KubeObject): boolean =>
  kind === 'PropagationPolicy' || kind === 'ClusterPropagationPolicy';
