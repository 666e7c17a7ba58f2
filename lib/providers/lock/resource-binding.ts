import type { FleetLock, LockedBinding } from '../../api/fleet-lock.js';
import { canonicalJson } from '../../engine/canonical.js';
import { compareBy, compareStrings, sorted } from '../../engine/compare.js';
import { bindingName, type KubeObject, type ObjectRef, refKey } from '../../engine/object.js';

const APPLIED_PLACEMENT = 'policy.karmada.io/applied-placement';
const POLICY = 'propagationpolicy.karmada.io';
const CLUSTER_POLICY = 'clusterpropagationpolicy.karmada.io';

/**
 * The lock as Karmada would write it: a ResourceBinding a namespaced template, a ClusterResourceBinding for the others.
 * Sorted by template. What Karmada has no field for (hashes, `now`) is left out.
 */
export function toResourceBindings(lock: FleetLock): KubeObject[] {
  return lock.bindings.map((locked) => {
    const { policy, placement, replicas, affinity, evicting } = locked;
    const resource = locked.resource as ObjectRef;
    const clusters = Object.entries(locked.clusters).sort(([a], [b]) => compareStrings(a, b));
    return {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: resource.namespace === undefined ? 'ClusterResourceBinding' : 'ResourceBinding',
      metadata: {
        name: bindingName(resource),
        ...(resource.namespace !== undefined && { namespace: resource.namespace }),
        annotations: {
          ...(placement !== undefined && { [APPLIED_PLACEMENT]: canonicalJson(placement) }),
          ...policyAnnotations(policy),
        },
      },
      spec: {
        resource: { ...resource, uid: locked.seed },
        ...(replicas !== undefined && { replicas }),
        clusters: clusters.map(([name, count]) => ({
          name,
          ...(replicas !== undefined && { replicas: count }),
        })),
        ...(placement !== undefined && { placement }),
        ...(evicting !== undefined && { gracefulEvictionTasks: evicting }),
      },
      ...(affinity !== undefined && { status: { schedulerObservingAffinityName: affinity } }),
    };
  });
}

/**
 * What live bindings have decided, as a lock to plan from: nothing moves that Karmada would not move.
 *
 * Generations start at 0 and template hashes are empty, since bindings do not say what they rendered; the next plan fills
 * them in. Objects that are no bindings are skipped. `now` is written as the time of decision where the binding has none.
 */
export function fromResourceBindings(
  name: string,
  objects: readonly KubeObject[],
  now: string,
): FleetLock {
  const bindings = objects.filter(isBinding).map((object) => toLocked(object, now));
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'FleetLock',
    metadata: { name },
    serial: 1,
    bindings: sorted(
      bindings,
      compareBy((b) => refKey(b.resource)),
    ),
    tombstones: [],
  };
}

type LockedPlacement = NonNullable<LockedBinding['placement']>;

interface BindingObject extends KubeObject {
  readonly spec: {
    readonly resource: ObjectRef & { readonly uid?: string };
    readonly replicas?: number;
    readonly clusters?: readonly { readonly name: string; readonly replicas?: number }[];
    readonly placement?: LockedPlacement;
    readonly gracefulEvictionTasks?: NonNullable<LockedBinding['evicting']>;
  };
  readonly status?: {
    readonly schedulerObservingAffinityName?: string;
    readonly lastScheduledTime?: string;
  };
}

function isBinding(object: KubeObject): object is BindingObject {
  return (
    object.apiVersion === 'work.karmada.io/v1alpha2' &&
    (object.kind === 'ResourceBinding' || object.kind === 'ClusterResourceBinding') &&
    (object as Partial<BindingObject>).spec?.resource?.name !== undefined
  );
}

function toLocked({ metadata, spec, status }: BindingObject, now: string): LockedBinding {
  const { apiVersion, kind, namespace, name, uid } = spec.resource;
  const resource: ObjectRef = {
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
  };
  const applied = metadata.annotations?.[APPLIED_PLACEMENT];
  const placement =
    applied === undefined ? spec.placement : (parsePlacement(applied) ?? spec.placement);
  const affinity = status?.schedulerObservingAffinityName;
  return {
    resource,
    policy: policyOf(metadata.annotations ?? {}),
    generation: 0,
    template: '',
    ...(placement !== undefined && { placement }),
    seed: uid ?? refKey(resource),
    decidedAt: status?.lastScheduledTime ?? now,
    ...(spec.replicas !== undefined && { replicas: spec.replicas }),
    ...(affinity !== undefined && affinity !== '' && { affinity }),
    clusters: Object.fromEntries((spec.clusters ?? []).map((c) => [c.name, c.replicas ?? 0])),
    render: {},
    ...(spec.gracefulEvictionTasks !== undefined && { evicting: spec.gracefulEvictionTasks }),
  };
}

function policyAnnotations(policy: LockedBinding['policy']): Record<string, string> {
  if (policy === null) return {};
  if (policy.kind === 'ClusterPropagationPolicy')
    return { [`${CLUSTER_POLICY}/name`]: policy.name };
  return { [`${POLICY}/namespace`]: policy.namespace ?? '', [`${POLICY}/name`]: policy.name };
}

function policyOf(annotations: Readonly<Record<string, string>>): LockedBinding['policy'] {
  const name = annotations[`${POLICY}/name`];
  if (name !== undefined)
    return { kind: 'PropagationPolicy', namespace: annotations[`${POLICY}/namespace`] ?? '', name };
  const clusterName = annotations[`${CLUSTER_POLICY}/name`];
  return clusterName === undefined ? null : { kind: 'ClusterPropagationPolicy', name: clusterName };
}

function parsePlacement(text: string): LockedPlacement | undefined {
  try {
    return JSON.parse(text) as LockedPlacement; // Karmada wrote it
  } catch {
    return undefined; // Karmada takes an unreadable annotation for "not changed": fall back to the spec
  }
}
