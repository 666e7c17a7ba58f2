import type { KubeObject } from '../../api/object.js';
import { compareBy, sorted } from '../compare.js';
import { compareDiagnostics, type Diagnostic } from '../diagnostic.js';
import { describeRef, refKey, refOf } from '../object.js';
import type { Plan, PlannedBinding, PolicyRef } from '../plan.js';
import { expand, type ExpansionInput } from './expand.js';
import { describePolicy, policyKey, type Share } from './goal.js';
import { HOLD_DEPENDENCIES, holdDependencies, refOfPolicy } from './hold-dependencies.js';

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

/**
 * Policies that a run would refuse to step, since a cluster would lose replicas before the others have grown. Judged by the
 * previous assignments of the plan; a run judges again by the bindings that it finds. One finding a policy, sorted.
 */
export function diagnoseGrowth(
  plan: Plan,
  documents: readonly KubeObject[],
): readonly Diagnostic[] {
  const objects = new Map(documents.map((object) => [refKey(refOf(object)), object]));
  return documents
    .filter(isPolicy)
    .flatMap((document): Diagnostic[] => {
      const policy = refOfPolicy(document);
      const inputs = plan.bindings.flatMap((binding) => {
        const template = objects.get(refKey(binding.resource));
        const isOurs = binding.policy !== null && policyKey(binding.policy) === policyKey(policy);
        return template === undefined || !isOurs ? [] : [inputOf(binding, template)];
      });
      const expansion = expand(document, inputs);
      return expansion.kind === 'impossible' ? [cannotGrow(policy, expansion.reason)] : [];
    })
    .sort(compareDiagnostics);
}

/** A policy of which something would shrink before the rest has grown. */
export function cannotGrow(policy: PolicyRef, reason: string): Diagnostic {
  return {
    code: 'KARMADA_STOPPED',
    severity: 'error',
    resource: { apiVersion: 'policy.karmada.io/v1alpha1', ...policy },
    summary: `${describePolicy(policy)}: a cluster would lose replicas before the others have grown, and ${reason}.`,
    hint: 'Select each of these workloads by name in a policy of its own and run once with the placement as it was; then change the placement.',
  };
}

function inputOf({ assignments, left }: PlannedBinding, template: KubeObject): ExpansionInput {
  const share = (cluster: string, replicas: number | undefined): Share => ({
    cluster,
    ...(replicas !== undefined && { replicas }),
  });
  const current = [
    ...assignments
      .filter(({ previous }) => previous !== undefined)
      .map(({ cluster, replicas, previous }) =>
        share(cluster, replicas === undefined ? undefined : previous),
      ),
    ...left.map(({ cluster, replicas }) => share(cluster, replicas)),
  ];
  return {
    template,
    current: sorted(
      current,
      compareBy(({ cluster }) => cluster),
    ),
    planned: assignments.map(({ cluster, replicas }) => share(cluster, replicas)),
  };
}

const isPolicy = ({ kind }: KubeObject): boolean =>
  kind === 'PropagationPolicy' || kind === 'ClusterPropagationPolicy';
