import type { ClusterPropagationPolicy } from '../cluster-propagation-policy.js';
import type { FailoverBehavior } from '../failover.js';
import type { OverridePolicy } from '../override-policy.js';
import type { Placement, ReplicaSchedulingStrategy, SpreadConstraint } from '../placement.js';
import type { PropagationPolicy, PropagationSpec } from '../propagation-policy.js';
import type { ResourceSelector } from '../resource-selector.js';
import { type DefaultTable, under } from './table.js';

/** Schema defaults of FailoverBehavior. */
export const FAILOVER_DEFAULTS: DefaultTable = {
  'application.decisionConditions.tolerationSeconds': 300,
  'application.purgeMode': 'Gracefully',
  'cluster.purgeMode': 'Gracefully',
};

/** Schema defaults of Placement. */
export const PLACEMENT_DEFAULTS: DefaultTable = {
  'replicaScheduling.replicaSchedulingType': 'Divided',
};

/** Schema defaults of both propagation policies. */
export const PROPAGATION_DEFAULTS: DefaultTable = {
  'spec.conflictResolution': 'Abort',
  ...under('spec.failover', FAILOVER_DEFAULTS),
  ...under('spec.placement', PLACEMENT_DEFAULTS),
  'spec.preemption': 'Never',
  'spec.priority': 0,
  'spec.schedulerName': 'default-scheduler',
};

/**
 * Defaults of the mutating webhook, without those made by chance or for Karmada's own bookkeeping (permanent-id
 * label, finalizer). Source: scheduling reference §1.1.
 */
export function defaultedPropagationPolicy(policy: PropagationPolicy): PropagationPolicy {
  const { namespace } = policy.metadata;
  const selectors = policy.spec.resourceSelectors;
  const spec = { ...policy.spec, resourceSelectors: ownNamespace(selectors, namespace) };
  return { ...policy, spec: defaultedSpec(spec) };
}

/** As {@link defaultedPropagationPolicy}; selectors keep their namespaces. */
export function defaultedClusterPropagationPolicy(
  policy: ClusterPropagationPolicy,
): ClusterPropagationPolicy {
  return { ...policy, spec: defaultedSpec(policy.spec) };
}

/** Selectors without a namespace get the policy's. */
export function defaultedOverridePolicy(policy: OverridePolicy): OverridePolicy {
  const { resourceSelectors, ...rest } = policy.spec;
  if (resourceSelectors === undefined) return policy;
  const selectors = ownNamespace(resourceSelectors, policy.metadata.namespace);
  return { ...policy, spec: { ...rest, resourceSelectors: selectors } };
}

function ownNamespace(
  selectors: readonly ResourceSelector[],
  namespace: string | undefined,
): readonly ResourceSelector[] {
  if (namespace === undefined || namespace === '') return selectors;
  return selectors.map((selector) =>
    selector.namespace === undefined || selector.namespace === ''
      ? { ...selector, namespace }
      : selector,
  );
}

function defaultedSpec(spec: PropagationSpec): PropagationSpec {
  const { failover, placement } = spec;
  return {
    ...spec,
    ...(spec.resourceSelectors.some(isServiceImport) && { propagateDeps: true }),
    ...(failover !== undefined && { failover: defaultedFailover(failover) }),
    ...(placement !== undefined && { placement: defaultedPlacement(placement) }),
  };
}

function isServiceImport(selector: ResourceSelector): boolean {
  return (
    selector.apiVersion === 'multicluster.x-k8s.io/v1alpha1' && selector.kind === 'ServiceImport'
  );
}

function defaultedFailover(failover: FailoverBehavior): FailoverBehavior {
  const { application } = failover;
  if (application?.purgeMode !== 'Gracefully') return failover;
  return { ...failover, application: { gracePeriodSeconds: 600, ...application } };
}

function defaultedPlacement(placement: Placement): Placement {
  const { replicaScheduling, spreadConstraints } = placement;
  return {
    ...placement,
    ...(replicaScheduling !== undefined && {
      replicaScheduling: defaultedStrategy(replicaScheduling),
    }),
    ...(spreadConstraints !== undefined && {
      spreadConstraints: spreadConstraints.map(defaultedConstraint),
    }),
  };
}

function defaultedStrategy(strategy: ReplicaSchedulingStrategy): ReplicaSchedulingStrategy {
  if (strategy.replicaSchedulingType !== 'Divided') return strategy;
  return { replicaDivisionPreference: 'Weighted', ...strategy };
}

/** `maxGroups` is never defaulted. */
function defaultedConstraint(constraint: SpreadConstraint): SpreadConstraint {
  const { minGroups = 0, spreadByField, spreadByLabel = '' } = constraint;
  return {
    ...constraint,
    ...(spreadByField === undefined && spreadByLabel === '' && { spreadByField: 'cluster' }),
    minGroups: minGroups === 0 ? 1 : minGroups,
  };
}
