import type { FleetLock, LockedBinding } from '../api/fleet-lock.js';
import type { Cluster } from '../api/cluster.js';
import { compareBy, sorted } from './compare.js';
import type { Fleet, LiveState, PlanInput, PlanOptions, SourcedObject, Tools } from './input.js';
import { withDefaultCounts } from './template-defaults.js';
import type { KubeObject } from './object.js';
import { groupOf, isOf, refKey, refOf } from './object.js';
import { applicationMark } from './plan.js';
import { versionPolicies, type PolicyVersions } from './policy-versions.js';

/** What a document is for. Everything that is not for us is a template. */
export type DocumentRole =
  | 'template'
  | 'policy'
  | 'override'
  | 'rollout'
  | 'check'
  | 'customization'
  | 'rebalancer'
  | 'federated'
  | 'fleet'
  | 'lock'
  | 'control-plane';

/** The input, sorted into what it is: the only thing later steps read. Lists are sorted by resource key. */
export interface Snapshot {
  readonly templates: readonly SourcedObject[];
  /** PropagationPolicies and ClusterPropagationPolicies with defaults filled in. */
  readonly policies: readonly SourcedObject[];
  /** OverridePolicies and ClusterOverridePolicies with defaults filled in. */
  readonly overrides: readonly SourcedObject[];
  readonly rollouts: readonly SourcedObject[];
  readonly checks: readonly SourcedObject[];
  readonly customizations: readonly SourcedObject[];
  readonly rebalancers: readonly SourcedObject[];
  /** FederatedHPA, MultiClusterService, …: kinds that a Karmada control plane acts on. */
  readonly federated: readonly SourcedObject[];
  /** Sorted by name. */
  readonly clusters: readonly Cluster[];
  readonly fleet: Fleet;
  readonly lock: FleetLock;
  readonly locked: ReadonlyMap<string, LockedBinding>;
  readonly policyVersions: PolicyVersions;
  readonly live?: LiveState;
  readonly now: string;
  readonly options: PlanOptions;
  readonly tools: Tools;
  /** All documents, in the order of their resource keys, for validation. */
  readonly documents: readonly SourcedObject[];
}

const ROLES: Readonly<Record<string, DocumentRole>> = {
  'policy.karmada.io/PropagationPolicy': 'policy',
  'policy.karmada.io/ClusterPropagationPolicy': 'policy',
  'policy.karmada.io/OverridePolicy': 'override',
  'policy.karmada.io/ClusterOverridePolicy': 'override',
  'config.karmada.io/ResourceInterpreterCustomization': 'customization',
  'apps.karmada.io/WorkloadRebalancer': 'rebalancer',
  'autoscaling.karmada.io/FederatedHPA': 'federated',
  'autoscaling.karmada.io/CronFederatedHPA': 'federated',
  'networking.karmada.io/MultiClusterService': 'federated',
  'networking.karmada.io/MultiClusterIngress': 'federated',
  'policy.karmada.io/FederatedResourceQuota': 'federated',
  'policy.karmada.io/ClusterTaintPolicy': 'federated',
  'remedy.karmada.io/Remedy': 'federated',
  'cluster.karmada.io/Cluster': 'fleet',
  'fleetwright.dev/Rollout': 'rollout',
  'fleetwright.dev/Check': 'check',
  'fleetwright.dev/FleetLock': 'lock',
};

/** Group decides: `karmada.io` groups and ours are never templates. */
export function roleOf(object: KubeObject): DocumentRole {
  const group = groupOf(object.apiVersion);
  const role = ROLES[`${group}/${object.kind}`];
  if (role !== undefined) return role;
  return group.endsWith('.karmada.io') || group === 'fleetwright.dev'
    ? 'control-plane'
    : 'template';
}

/** An empty lock for an application that was never planned. */
export function emptyLock(options: PlanOptions): FleetLock {
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'FleetLock',
    metadata: { name: applicationMark(options) },
    serial: 0,
    bindings: [],
    tombstones: [],
  };
}

/** Sort the input into roles, fill in defaults, give namespaced templates a namespace. */
export function takeSnapshot(input: PlanInput, tools: Tools): Snapshot {
  const byRole = new Map<DocumentRole, SourcedObject[]>();
  const clusterScopedCustom = customClusterScopes(input.documents);
  const documents = sorted(
    input.documents.map((document) => complete(document, clusterScopedCustom, tools)),
    compareBy((d) => refKey(refOf(d.object))),
  );
  for (const document of documents) {
    const role = roleOf(document.object);
    const list = byRole.get(role);
    if (list === undefined) byRole.set(role, [document]);
    else list.push(document);
  }
  const of = (role: DocumentRole): readonly SourcedObject[] => byRole.get(role) ?? [];
  const lock = input.lock ?? emptyLock(input.options);
  return {
    templates: of('template'),
    policies: of('policy'),
    overrides: of('override'),
    rollouts: of('rollout'),
    checks: of('check'),
    customizations: of('customization'),
    rebalancers: of('rebalancer'),
    federated: of('federated'),
    clusters: sorted(
      input.fleet.clusters,
      compareBy((c) => c.metadata.name ?? ''),
    ),
    fleet: input.fleet,
    lock,
    locked: new Map(lock.bindings.map((b) => [refKey(b.resource), b])),
    policyVersions: versionPolicies(lock, tools),
    ...(input.live !== undefined && { live: input.live }),
    now: input.now,
    options: input.options,
    tools,
    documents,
  };
}

/** `group/kind` of the cluster-scoped kinds that CRDs among the documents define. */
function customClusterScopes(documents: readonly SourcedObject[]): ReadonlySet<string> {
  const kinds = new Set<string>();
  for (const { object } of documents) {
    if (!isOf(object, 'apiextensions.k8s.io', 'CustomResourceDefinition')) continue;
    const spec = object['spec'] as
      { scope?: unknown; group?: unknown; names?: { kind?: unknown } } | undefined;
    if (spec?.scope === 'Cluster') kinds.add(`${String(spec.group)}/${String(spec.names?.kind)}`);
  }
  return kinds;
}

/** Defaults filled in, and kubectl's rule: a namespaced object without a namespace lands in `default`. */
function complete(
  document: SourcedObject,
  custom: ReadonlySet<string>,
  tools: Tools,
): SourcedObject {
  const { object } = document;
  const scoped =
    isClusterScoped(object) || custom.has(`${groupOf(object.apiVersion)}/${object.kind}`);
  const placed =
    scoped || (object.metadata.namespace ?? '') !== ''
      ? object
      : { ...object, metadata: { ...object.metadata, namespace: 'default' } };
  const filled =
    roleOf(object) === 'template' ? withDefaultCounts(placed) : tools.withDefaults(placed);
  return filled === object ? document : { ...document, object: filled };
}

/** Kinds without a namespace, by group and kind. Custom kinds are namespaced unless their CRD in the plan says otherwise. */
const CLUSTER_SCOPED = new Set([
  '/Namespace',
  '/Node',
  '/PersistentVolume',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apiregistration.k8s.io/APIService',
  'certificates.k8s.io/CertificateSigningRequest',
  'flowcontrol.apiserver.k8s.io/FlowSchema',
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
  'networking.k8s.io/IngressClass',
  'node.k8s.io/RuntimeClass',
  'policy.karmada.io/ClusterOverridePolicy',
  'policy.karmada.io/ClusterPropagationPolicy',
  'policy.karmada.io/ClusterTaintPolicy',
  'cluster.karmada.io/Cluster',
  'config.karmada.io/ResourceInterpreterCustomization',
  'config.karmada.io/ResourceInterpreterWebhookConfiguration',
  'apps.karmada.io/WorkloadRebalancer',
  'remedy.karmada.io/Remedy',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'scheduling.k8s.io/PriorityClass',
  'storage.k8s.io/CSIDriver',
  'storage.k8s.io/StorageClass',
  'storage.k8s.io/VolumeAttachment',
  'work.karmada.io/ClusterResourceBinding',
  'fleetwright.dev/FleetLock',
]);

/** Whether a kind has no namespace; custom kinds count as namespaced. */
export function isClusterScoped(object: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return CLUSTER_SCOPED.has(`${groupOf(object.apiVersion)}/${object.kind}`);
}
