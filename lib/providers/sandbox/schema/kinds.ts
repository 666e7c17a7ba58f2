import { ANY, builtinSchema, type Schema } from './schema.js';

/** A kind as the sandbox serves and stores it. */
export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural, as in the URL. */
  readonly resource: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: ReadonlySet<string>;
  /** Whether the server counts changes of `spec` in `metadata.generation`. */
  readonly counted: boolean;
  readonly schema: Schema;
  /** For kinds of a CRD: fills defaults in place, and says what is wrong with an object. */
  readonly custom?: CustomRules;
}

export interface CustomRules {
  readonly crd: string;
  /** Names of printer columns with their paths, for `kubectl get`. */
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly jsonPath: string;
  }[];
  /** `spec.replicas` and the like for the scale subresource. */
  readonly scale?: { readonly spec: string; readonly status: string };
  withDefaults(object: unknown): unknown;
  faults(
    object: unknown,
  ): readonly { readonly field: string; readonly message: string; readonly reason: string }[];
}

export const VERBS: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/**
 * apiVersion, plural, kind, scope, short names, subresources, categories, and `counted` for kinds with a generation:
 * what a kube-apiserver v1.36 serves of the kinds that applications use. A kind that is absent here is not served.
 */
const TABLE = `
v1 configmaps ConfigMap ns cm - - -
v1 endpoints Endpoints ns ep - - -
v1 events Event ns ev - - -
v1 limitranges LimitRange ns limits - - -
v1 namespaces Namespace cluster ns status - -
v1 nodes Node cluster no status - -
v1 persistentvolumeclaims PersistentVolumeClaim ns pvc status - -
v1 persistentvolumes PersistentVolume cluster pv status - -
v1 pods Pod ns po status,log all counted
v1 resourcequotas ResourceQuota ns quota status - -
v1 secrets Secret ns - - - -
v1 serviceaccounts ServiceAccount ns sa - - -
v1 services Service ns svc status all -
apps/v1 controllerrevisions ControllerRevision ns - - - -
apps/v1 daemonsets DaemonSet ns ds status all counted
apps/v1 deployments Deployment ns deploy scale,status all counted
apps/v1 replicasets ReplicaSet ns rs scale,status all counted
apps/v1 statefulsets StatefulSet ns sts scale,status all counted
autoscaling/v2 horizontalpodautoscalers HorizontalPodAutoscaler ns hpa status all -
batch/v1 cronjobs CronJob ns cj status all counted
batch/v1 jobs Job ns - status all counted
networking.k8s.io/v1 ingressclasses IngressClass cluster - - - counted
networking.k8s.io/v1 ingresses Ingress ns ing status - counted
networking.k8s.io/v1 networkpolicies NetworkPolicy ns netpol - - counted
policy/v1 poddisruptionbudgets PodDisruptionBudget ns pdb status - counted
rbac.authorization.k8s.io/v1 clusterrolebindings ClusterRoleBinding cluster - - - -
rbac.authorization.k8s.io/v1 clusterroles ClusterRole cluster - - - -
rbac.authorization.k8s.io/v1 rolebindings RoleBinding ns - - - -
rbac.authorization.k8s.io/v1 roles Role ns - - - -
storage.k8s.io/v1 storageclasses StorageClass cluster sc - - -
admissionregistration.k8s.io/v1 mutatingwebhookconfigurations MutatingWebhookConfiguration cluster - - api-extensions counted
admissionregistration.k8s.io/v1 validatingwebhookconfigurations ValidatingWebhookConfiguration cluster - - api-extensions counted
apiextensions.k8s.io/v1 customresourcedefinitions CustomResourceDefinition cluster crd,crds status api-extensions counted
scheduling.k8s.io/v1 priorityclasses PriorityClass cluster pc - - counted
coordination.k8s.io/v1 leases Lease ns - - - -
node.k8s.io/v1 runtimeclasses RuntimeClass cluster - - - -
discovery.k8s.io/v1 endpointslices EndpointSlice ns - - - counted
`;

/** The built-in kinds, in the order of discovery. */
export const BUILTIN: readonly Kind[] = TABLE.trim().split('\n').map(parseKind);

/** Where objects of a kind are kept, whatever the version they are read in. */
export function storageKey(kind: { readonly group: string; readonly resource: string }): string {
  return `${kind.group}/${kind.resource}`;
}

/** `deployments.apps`, or `pods` for the core group: how messages name a resource. */
export function qualifiedResource(kind: {
  readonly group: string;
  readonly resource: string;
}): string {
  return kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`;
}

export function splitApiVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

function parseKind(line: string): Kind {
  const [
    apiVersion = '',
    resource = '',
    kind = '',
    scope,
    shorts = '-',
    subs = '-',
    categories = '-',
    counted,
  ] = line.split(' ');
  const [group, version] = splitApiVersion(apiVersion);
  return {
    group,
    version,
    apiVersion,
    kind,
    resource,
    singular: kind.toLowerCase(),
    namespaced: scope === 'ns',
    shortNames: parseNames(shorts),
    categories: parseNames(categories),
    subresources: new Set(parseNames(subs)),
    counted: counted === 'counted',
    schema: builtinSchema(apiVersion, kind) ?? ANY,
  };
}

function parseNames(text: string): readonly string[] {
  return text === '-' ? [] : text.split(',');
}
