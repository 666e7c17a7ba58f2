import { cloneJson, type JsonObject } from '../merge/json.js';
import type { Kind } from './kinds.js';
import { typeNamed } from './schema.js';
import { normalized } from './normalize.js';
import { defaultPodSpec, defaultRequests, itemsOf, partOf, setDefault } from './pod-defaults.js';

/**
 * An object as the server completes it: its fields normalised and the defaults of its kind filled in.
 *
 * What a server sets by its own decision (cluster IPs, uids) is not here; see `strategy.ts`. Applying this twice
 * changes nothing.
 */
export function withDefaults(kind: Kind, object: JsonObject): JsonObject {
  if (kind.custom !== undefined) {
    const metadata = normalized(object['metadata'], typeNamed('ObjectMeta'));
    return kind.custom.withDefaults({ ...object, metadata }) as JsonObject;
  }
  const draft = cloneJson(normalized(object, kind.schema)) as JsonObject;
  const spec = partOf(draft, 'spec');
  DEFAULTS[kind.kind]?.(draft, spec ?? {});
  return draft;
}

/** How often a DaemonSet's template changed; the server writes it for clients of long ago. */
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

const DEFAULTS: Readonly<Record<string, (object: JsonObject, spec: JsonObject) => void>> = {
  Pod: (_, spec) => {
    defaultPodSpec(spec);
    setDefault(spec, 'enableServiceLinks', true);
    defaultRequests(spec);
  },
  Deployment: (_, spec) => {
    setDefault(spec, 'replicas', 1);
    const strategy = defaultPart(spec, 'strategy', 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = ensure(strategy, 'rollingUpdate');
      setDefault(rolling, 'maxUnavailable', '25%');
      setDefault(rolling, 'maxSurge', '25%');
    }
    setDefault(spec, 'revisionHistoryLimit', 10);
    setDefault(spec, 'progressDeadlineSeconds', 600);
    defaultTemplate(spec);
  },
  ReplicaSet: (_, spec) => {
    setDefault(spec, 'replicas', 1);
    defaultTemplate(spec);
  },
  StatefulSet: (_, spec) => {
    setDefault(spec, 'replicas', 1);
    setDefault(spec, 'podManagementPolicy', 'OrderedReady');
    const strategy = defaultPart(spec, 'updateStrategy', 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate')
      setDefault(ensure(strategy, 'rollingUpdate'), 'partition', 0);
    setDefault(spec, 'revisionHistoryLimit', 10);
    const retention = ensure(spec, 'persistentVolumeClaimRetentionPolicy');
    setDefault(retention, 'whenDeleted', 'Retain');
    setDefault(retention, 'whenScaled', 'Retain');
    defaultTemplate(spec);
    for (const claim of itemsOf(spec, 'volumeClaimTemplates')) {
      claim['apiVersion'] = 'v1';
      claim['kind'] = 'PersistentVolumeClaim';
      setDefault(ensure(claim, 'spec'), 'volumeMode', 'Filesystem');
      setDefault(ensure(claim, 'status'), 'phase', 'Pending');
    }
  },
  DaemonSet: (object, spec) => {
    setDefault(ensure(ensure(object, 'metadata'), 'annotations'), TEMPLATE_GENERATION, '1');
    const strategy = defaultPart(spec, 'updateStrategy', 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = ensure(strategy, 'rollingUpdate');
      setDefault(rolling, 'maxUnavailable', 1);
      setDefault(rolling, 'maxSurge', 0);
    }
    setDefault(spec, 'revisionHistoryLimit', 10);
    defaultTemplate(spec);
  },
  Job: (_, spec) => {
    if (spec['completions'] === undefined && spec['parallelism'] === undefined)
      spec['completions'] = 1;
    setDefault(spec, 'parallelism', 1);
    setDefault(spec, 'backoffLimit', 6);
    setDefault(spec, 'completionMode', 'NonIndexed');
    setDefault(spec, 'suspend', false);
    setDefault(spec, 'manualSelector', false);
    setDefault(spec, 'podReplacementPolicy', 'TerminatingOrFailed');
    defaultTemplate(spec);
  },
  CronJob: (_, spec) => {
    setDefault(spec, 'concurrencyPolicy', 'Allow');
    setDefault(spec, 'suspend', false);
    setDefault(spec, 'successfulJobsHistoryLimit', 3);
    setDefault(spec, 'failedJobsHistoryLimit', 1);
    const jobs = ensure(spec, 'jobTemplate');
    ensure(jobs, 'metadata');
    defaultTemplate(ensure(jobs, 'spec'));
  },
  Service: (_, spec) => {
    setDefault(spec, 'sessionAffinity', 'None');
    setDefault(spec, 'type', 'ClusterIP');
    if (spec['sessionAffinity'] === 'ClientIP') {
      setDefault(
        ensure(ensure(spec, 'sessionAffinityConfig'), 'clientIP'),
        'timeoutSeconds',
        10800,
      );
    }
    if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
    for (const port of itemsOf(spec, 'ports')) {
      setDefault(port, 'protocol', 'TCP');
      if (
        port['targetPort'] === undefined ||
        port['targetPort'] === 0 ||
        port['targetPort'] === ''
      ) {
        port['targetPort'] = port['port'];
      }
    }
    const type = spec['type'];
    if (type !== 'ExternalName') setDefault(spec, 'internalTrafficPolicy', 'Cluster');
    if (type === 'LoadBalancer' || type === 'NodePort')
      setDefault(spec, 'externalTrafficPolicy', 'Cluster');
    if (type === 'LoadBalancer') setDefault(spec, 'allocateLoadBalancerNodePorts', true);
  },
  Secret: (object) => {
    setDefault(object, 'type', 'Opaque');
    const texts = partOf(object, 'stringData');
    if (texts === undefined) return;
    const encoded = Object.entries(texts).map(([key, text]) => [
      key,
      Buffer.from(String(text)).toString('base64'),
    ]);
    object['data'] = { ...partOf(object, 'data'), ...Object.fromEntries(encoded) };
    delete object['stringData'];
  },
  Namespace: (object) => {
    const metadata = ensure(object, 'metadata');
    ensure(metadata, 'labels')['kubernetes.io/metadata.name'] = metadata['name'];
  },
  PersistentVolumeClaim: (object, spec) => {
    setDefault(spec, 'volumeMode', 'Filesystem');
    setDefault(ensure(object, 'status'), 'phase', 'Pending');
  },
  PersistentVolume: (object, spec) => {
    setDefault(spec, 'volumeMode', 'Filesystem');
    setDefault(spec, 'persistentVolumeReclaimPolicy', 'Retain');
    setDefault(ensure(object, 'status'), 'phase', 'Pending');
  },
  NetworkPolicy: (_, spec) => {
    if (spec['policyTypes'] === undefined) {
      spec['policyTypes'] = spec['egress'] === undefined ? ['Ingress'] : ['Ingress', 'Egress'];
    }
    for (const rule of [...itemsOf(spec, 'ingress'), ...itemsOf(spec, 'egress')]) {
      for (const port of itemsOf(rule, 'ports')) setDefault(port, 'protocol', 'TCP');
    }
  },
  HorizontalPodAutoscaler: (_, spec) => {
    setDefault(spec, 'minReplicas', 1);
    if (spec['metrics'] === undefined) {
      const target = { type: 'Utilization', averageUtilization: 80 };
      spec['metrics'] = [{ type: 'Resource', resource: { name: 'cpu', target } }];
    }
  },
  RoleBinding: defaultBinding,
  ClusterRoleBinding: defaultBinding,
  StorageClass: (object) => {
    setDefault(object, 'reclaimPolicy', 'Delete');
    setDefault(object, 'volumeBindingMode', 'Immediate');
  },
  EndpointSlice: (object) => {
    for (const endpoint of itemsOf(object, 'endpoints')) ensure(endpoint, 'conditions');
    for (const port of itemsOf(object, 'ports')) {
      setDefault(port, 'name', '');
      setDefault(port, 'protocol', 'TCP');
    }
  },
  CustomResourceDefinition: (_, spec) => {
    const names = ensure(spec, 'names');
    const kind = String(names['kind'] ?? '');
    setDefault(names, 'singular', kind.toLowerCase());
    setDefault(names, 'listKind', `${kind}List`);
    setDefault(ensure(spec, 'conversion'), 'strategy', 'None');
  },
};

function defaultBinding(object: JsonObject): void {
  setDefault(ensure(object, 'roleRef'), 'apiGroup', 'rbac.authorization.k8s.io');
  for (const subject of itemsOf(object, 'subjects')) {
    if (subject['kind'] !== 'ServiceAccount')
      setDefault(subject, 'apiGroup', 'rbac.authorization.k8s.io');
  }
}

function defaultTemplate(spec: JsonObject): void {
  const template = partOf(spec, 'template');
  if (template === undefined) return;
  ensure(template, 'metadata');
  defaultPodSpec(ensure(template, 'spec'));
}

function defaultPart(target: JsonObject, key: string, field: string, value: unknown): JsonObject {
  const part = ensure(target, key);
  setDefault(part, field, value);
  return part;
}

/** The object at a key of the draft, created where it is absent. */
export function ensure(target: JsonObject, key: string): JsonObject {
  const part = partOf(target, key);
  if (part !== undefined) return part;
  const created: JsonObject = {};
  target[key] = created;
  return created;
}
