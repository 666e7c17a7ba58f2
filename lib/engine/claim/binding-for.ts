import type { KubeObject } from '../../api/object.js';
import type {
  Component,
  ReplicaRequirements,
  ResourceBindingSpec,
  WorkloadAffinityGroups,
} from '../../api/resource-binding.js';
import { bindingName, refOf } from '../object.js';
import type { Gates } from '../schedule/gates.js';
import type { Policy } from './policy.js';
import { isSet } from './selector.js';

/** What an interpreter says of a template; absent parts mean that the kind has none. */
export interface Interpretation {
  readonly replicas?: number | undefined;
  readonly requirements?: ReplicaRequirements | undefined;
  /** Replaces replicas and requirements where the kind has it and the gate is on. */
  readonly components?: readonly Component[] | undefined;
}

export interface BindingFacts {
  readonly gates: Pick<
    Gates,
    'MultiplePodTemplatesScheduling' | 'PriorityBasedScheduling' | 'WorkloadAffinity'
  >;
  /** Values of the PriorityClasses that exist. */
  readonly priorityClasses?: ReadonlyMap<string, number>;
  /** Stands for the template's UID where it has none: ties are broken by it. */
  readonly uid?: string;
}

/** A template with its policy's fields, by Karmada's name; not scheduled yet. */
export interface Binding {
  readonly apiVersion: 'work.karmada.io/v1alpha2';
  readonly kind: 'ResourceBinding' | 'ClusterResourceBinding';
  readonly name: string;
  /** Absent for a ClusterResourceBinding. */
  readonly namespace?: string;
  /** Without `clusters` and whatever else the scheduler and the eviction write. */
  readonly spec: ResourceBindingSpec;
}

/**
 * The binding that a policy makes of a template. Source: scheduling reference §4.
 *
 * A PriorityClass that cannot be found leaves the priority out; {@link findPriorityFault} says so.
 */
export function bindingFor(
  template: KubeObject,
  policy: Policy,
  interpretation: Interpretation,
  facts: BindingFacts,
): Binding {
  const { namespace } = template.metadata;
  const isNamespaced = isSet(namespace);
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: isNamespaced ? 'ResourceBinding' : 'ClusterResourceBinding',
    name: bindingName(refOf(template)),
    ...(isNamespaced && { namespace }),
    spec: {
      resource: referenceTo(template, facts.uid),
      ...workloadOf(interpretation, facts),
      ...copiedFrom(policy),
      ...(isNamespaced && namespacedOnly(template, policy, facts)),
    },
  };
}

/** Why the binding of a policy cannot be built, in Karmada's words; only namespaced templates have a priority. */
export function findPriorityFault(
  template: KubeObject,
  policy: Policy,
  facts: {
    readonly gates: Pick<Gates, 'PriorityBasedScheduling'>;
    readonly priorityClasses?: ReadonlyMap<string, number>;
  },
): string | undefined {
  const { gates, priorityClasses } = facts;
  const { schedulePriority } = policy.spec;
  if (!gates.PriorityBasedScheduling || schedulePriority === undefined) return undefined;
  if (!isSet(template.metadata.namespace)) return undefined;
  // The schema knows one source; documents from elsewhere may have others.
  const source: string = schedulePriority.priorityClassSource;
  if (source !== 'KubePriorityClass') {
    return `priority class source is ${source}, but ${source} is not supported yet`;
  }
  const { priorityClassName } = schedulePriority;
  if (priorityClasses?.has(priorityClassName) === true) return undefined;
  return `priorityclasses.scheduling.k8s.io "${priorityClassName}" not found`;
}

function referenceTo(
  template: KubeObject,
  seed: string | undefined,
): ResourceBindingSpec['resource'] {
  const { name = '', namespace, uid = seed } = template.metadata;
  return {
    apiVersion: template.apiVersion,
    kind: template.kind,
    ...(isSet(namespace) && { namespace }),
    name,
    ...(uid !== undefined && { uid }),
  };
}

function workloadOf(
  { replicas, requirements, components }: Interpretation,
  { gates }: BindingFacts,
): Partial<ResourceBindingSpec> {
  if (gates.MultiplePodTemplatesScheduling && components !== undefined) return { components };
  return {
    ...(replicas !== undefined && { replicas }),
    ...(requirements !== undefined && { replicaRequirements: requirements }),
  };
}

function copiedFrom(policy: Policy): Partial<ResourceBindingSpec> {
  const { conflictResolution, failover, placement, preserveResourcesOnDeletion } = policy.spec;
  const { propagateDeps, schedulerName, suspension } = policy.spec;
  return {
    ...(conflictResolution !== undefined && { conflictResolution }),
    ...(failover !== undefined && { failover }),
    placement: placement ?? {},
    ...(preserveResourcesOnDeletion !== undefined && { preserveResourcesOnDeletion }),
    ...(propagateDeps !== undefined && { propagateDeps }),
    ...(schedulerName !== undefined && { schedulerName }),
    ...(suspension !== undefined && { suspension }),
  };
}

function namespacedOnly(
  template: KubeObject,
  policy: Policy,
  { gates, priorityClasses }: BindingFacts,
): Partial<ResourceBindingSpec> {
  const { schedulePriority } = policy.spec;
  const named =
    gates.PriorityBasedScheduling && schedulePriority !== undefined
      ? priorityClasses?.get(schedulePriority.priorityClassName)
      : undefined;
  const groups = gates.WorkloadAffinity ? affinityGroups(template, policy) : undefined;
  return {
    ...(named !== undefined && { schedulePriority: { priority: named } }),
    ...(groups !== undefined && { workloadAffinityGroups: groups }),
  };
}

/** Groups are `<label>=<value>`; an empty value makes a group too. Source: scheduling reference §4.3. */
function affinityGroups(template: KubeObject, policy: Policy): WorkloadAffinityGroups | undefined {
  const { affinity, antiAffinity } = policy.spec.placement?.workloadAffinity ?? {};
  const groupBy = (key: string | undefined): string | undefined => {
    const labels = template.metadata.labels ?? {};
    return key !== undefined && Object.hasOwn(labels, key) ? `${key}=${labels[key]}` : undefined;
  };
  const together = groupBy(affinity?.groupByLabelKey);
  const apart = groupBy(antiAffinity?.groupByLabelKey);
  if (together === undefined && apart === undefined) return undefined;
  return {
    ...(together !== undefined && { affinityGroup: together }),
    ...(apart !== undefined && { antiAffinityGroup: apart }),
  };
}
