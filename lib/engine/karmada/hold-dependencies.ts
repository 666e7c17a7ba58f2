import type { KubeObject, ObjectRef } from '../../api/object.js';
import type { Placement } from '../../api/placement.js';
import { canonicalJson } from '../canonical.js';
import { compareBy, compareStrings, sorted } from '../compare.js';
import { refKey } from '../object.js';
import type { Plan, PlannedBinding, PolicyRef } from '../plan.js';
import { policyKey } from './goal.js';

/** On a propagation policy, `"true"`: what its workloads need waits with them. */
export const HOLD_DEPENDENCIES = 'fleetwright.dev/hold-dependencies';

/** A dependency with the policy that lets it be suspended. */
export interface HeldDependency {
  readonly binding: PlannedBinding;
  readonly policy: KubeObject;
}

/**
 * Policies for the dependencies of workloads whose policy says so, one each: Karmada gives a dependency a binding without a
 * placement, which nothing suspends; selected by a policy, the same binding keeps its followers' clusters and has a
 * suspension of its own (lifecycle reference §10.3, ADR 0122).
 *
 * Sorted like the plan's bindings. Objects without a namespace, without a cluster, or with a policy of their own are left out.
 */
export function holdDependencies(
  plan: Plan,
  policies: readonly KubeObject[],
): readonly HeldDependency[] {
  const byKey = new Map(policies.map((policy) => [policyKey(refOfPolicy(policy)), policy]));
  const bindings = new Map(plan.bindings.map((binding) => [refKey(binding.resource), binding]));
  return plan.bindings.flatMap((binding) => {
    if (binding.policy !== null || binding.assignments.length === 0) return [];
    if (binding.resource.namespace === undefined) return [];
    const asking = binding.follows.flatMap(({ resource }) => {
      const leader = bindings.get(refKey(resource))?.policy ?? null;
      const policy = leader === null ? undefined : byKey.get(policyKey(leader));
      return policy?.metadata.annotations?.[HOLD_DEPENDENCIES] === 'true' ? [policy] : [];
    });
    return asking.length === 0 ? [] : [{ binding, policy: policyFor(binding, asking) }];
  });
}

interface LeadingSpec {
  readonly placement?: Placement;
  readonly conflictResolution?: string;
  readonly preserveResourcesOnDeletion?: boolean;
}

/** What Karmada takes from the leaders as long as a dependency has no placement of its own is said here instead. */
function policyFor(
  { resource, assignments }: PlannedBinding,
  leaders: readonly KubeObject[],
): KubeObject {
  const specs = leaders.map((leader) => leader['spec'] as LeadingSpec);
  const tolerations = new Map(
    specs
      .flatMap(({ placement }) => placement?.clusterTolerations ?? [])
      .map((toleration) => [canonicalJson(toleration), toleration]),
  );
  const { apiVersion, kind, namespace, name } = resource;
  const own = heldPolicyOf(resource);
  const clusterNames = sorted(
    assignments.map(({ cluster }) => cluster),
    compareStrings,
  );
  return {
    apiVersion: own.apiVersion,
    kind: own.kind,
    metadata: { name: own.name, ...(namespace !== undefined && { namespace }) },
    spec: {
      resourceSelectors: [
        { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) },
      ],
      placement: {
        clusterAffinity: { clusterNames },
        ...(tolerations.size > 0 && {
          clusterTolerations: sorted(
            tolerations,
            compareBy(([text]) => text),
          ).map(([, toleration]) => toleration),
        }),
      },
      ...(specs.some(({ conflictResolution }) => conflictResolution === 'Overwrite') && {
        conflictResolution: 'Overwrite',
      }),
      ...(specs.some(({ preserveResourcesOnDeletion: keeps }) => keeps === true) && {
        preserveResourcesOnDeletion: true,
      }),
    },
  };
}

/** The policy that a dependency gets, whether it exists or not. */
export function heldPolicyOf({ kind, namespace, name }: ObjectRef): ObjectRef {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    ...(namespace !== undefined && { namespace }),
    name: `held-${name}-${kind.toLowerCase()}`,
  };
}

/** How a plan names a policy document. */
export function refOfPolicy({ kind, metadata }: KubeObject): PolicyRef {
  const { namespace, name = '' } = metadata;
  return {
    kind: kind as PolicyRef['kind'],
    ...(namespace !== undefined && { namespace }),
    name,
  };
}
