import type { KubeObject } from '../../api/object.js';
import type { ResourceBindingSpec, Suspension } from '../../api/resource-binding.js';
import type { Binding } from './binding-for.js';
import { claimIdOn, CLAIM_MARKS, marksOf, withoutMarks } from './marks.js';
import type { Policy } from './policy.js';

/** A binding as a control plane stores it. */
export interface BindingDocument extends KubeObject {
  readonly spec: ResourceBindingSpec;
}

/** Fields that every apply takes from template and policy; the rest of a binding belongs to others. */
const REFRESHED = [
  'components',
  'conflictResolution',
  'failover',
  'placement',
  'preserveResourcesOnDeletion',
  'propagateDeps',
  'replicaRequirements',
  'replicas',
  'resource',
  'schedulePriority',
  'schedulerName',
  'workloadAffinityGroups',
] as const satisfies readonly (keyof ResourceBindingSpec)[];

const FINALIZERS = {
  ClusterResourceBinding: 'karmada.io/cluster-resource-binding-controller',
  ResourceBinding: 'karmada.io/binding-controller',
} as const satisfies Record<Binding['kind'], string>;

/** A ClusterResourceBinding keeps the `propagateDeps` it was created with. */
const NOT_REFRESHED_CLUSTER_WIDE: ReadonlySet<string> = new Set(['propagateDeps']);

/**
 * A binding written over the one that exists, or as a new document.
 *
 * Scheduling results, eviction tasks, `requiredBy` and a person's `suspension.scheduling` survive.
 * Source: scheduling reference §4.
 */
export function bindingDocument(
  binding: Binding,
  template: KubeObject,
  policy: Policy,
  existing: BindingDocument | undefined,
): BindingDocument {
  const before = existing === undefined ? undefined : freedFor(policy, existing);
  const { labels, annotations } = marksOf(policy);
  const { apiVersion, kind, name, namespace } = binding;
  return {
    ...before,
    apiVersion,
    kind,
    metadata: {
      ...before?.metadata,
      name,
      ...(namespace !== undefined && { namespace }),
      labels: { ...before?.metadata.labels, ...labels },
      annotations: { ...before?.metadata.annotations, ...annotations },
      finalizers: [FINALIZERS[kind]],
      ownerReferences: [ownerReference(template)],
    },
    spec: asStored(before === undefined ? binding.spec : refreshed(before.spec, binding)),
  };
}

/** Whether a binding of the same name belongs to another object, such as a template that was deleted and made again. */
export function isOwnedByAnother(existing: BindingDocument, template: KubeObject): boolean {
  const owners = (existing.metadata.ownerReferences ?? []) as readonly {
    readonly controller?: boolean;
    readonly uid?: string;
  }[];
  const controller = owners.find((owner) => owner.controller === true);
  return controller !== undefined && controller.uid !== template.metadata.uid;
}

function freedFor(policy: Policy, existing: BindingDocument): BindingDocument {
  const isWideClaimLeft =
    policy.kind === 'PropagationPolicy' &&
    existing.metadata.labels?.[CLAIM_MARKS.ClusterPropagationPolicy.id] !== undefined;
  return isWideClaimLeft ? withoutMarks(existing, 'ClusterPropagationPolicy') : existing;
}

function refreshed(before: ResourceBindingSpec, binding: Binding): ResourceBindingSpec {
  const isClusterWide = binding.kind === 'ClusterResourceBinding';
  const names = REFRESHED.filter((name) => !isClusterWide || !NOT_REFRESHED_CLUSTER_WIDE.has(name));
  const dropped = new Set<string>([...names, 'suspension']);
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => !dropped.has(name)));
  const taken = Object.fromEntries(
    names
      .filter((name) => binding.spec[name] !== undefined)
      .map((name) => [name, binding.spec[name]]),
  );
  const suspension = mergedSuspension(before.suspension, binding.spec.suspension);
  return {
    ...kept,
    ...taken,
    resource: binding.spec.resource,
    ...(suspension !== undefined && { suspension }),
  };
}

/** Karmada's API leaves these out when they are zero or false. */
function asStored(spec: ResourceBindingSpec): ResourceBindingSpec {
  const { replicas, propagateDeps, ...rest } = spec;
  return {
    ...rest,
    ...(replicas !== undefined && replicas !== 0 && { replicas }),
    ...(propagateDeps === true && { propagateDeps }),
  };
}

/** The policy pauses delivery, a person pauses scheduling: each has its own fields. */
function mergedSuspension(
  before: Suspension | undefined,
  policy: Suspension | undefined,
): Suspension | undefined {
  const scheduling = before?.scheduling;
  if (policy === undefined && scheduling === undefined) return undefined;
  return { ...policy, ...(scheduling !== undefined && { scheduling }) };
}

function ownerReference({ apiVersion, kind, metadata }: KubeObject): object {
  const { name = '', uid = '' } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** A binding without the claim of a policy that is gone; untouched when another policy has it by now. */
export function withoutClaimOf(
  existing: BindingDocument,
  kind: Policy['kind'],
  id: string,
): BindingDocument {
  return claimIdOn(existing, kind) === id ? withoutMarks(existing, kind) : existing;
}
