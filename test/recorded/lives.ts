import type { KubeObject } from '../../lib/engine/object.js';

/** One step of a life: what is done, and how the state to record is recognised. */
export interface Step {
  readonly name: 'create' | 'progress' | 'ready' | 'update' | 'degraded';
  readonly act?: Act;
  readonly until: (object: KubeObject) => boolean;
}

/** A patch of the object itself, or of its first pod. */
export interface Act {
  readonly on: 'object' | 'pod';
  readonly subresource?: 'status';
  readonly patch: object;
}

export interface Life {
  /**
   * Name of the file in the kind's folder.
   * @default 'life'
   */
  readonly file?: string;
  /** Path of the collection. */
  readonly path: string;
  readonly object: KubeObject;
  /**
   * Label `app` of the pods to act on.
   * @default the object's name
   */
  readonly pods?: string;
  readonly steps: readonly Step[];
}

export const NAMESPACE = 'lives';
const SLOWLY = { 'rig/ready-after': '1500ms' };
const NEVER = { 'rig/never-ready': 'ImagePullBackOff' };
const LABEL = { metadata: { labels: { tier: 'web' } } };

const core = (plural: string): string => `/api/v1/namespaces/${NAMESPACE}/${plural}`;
const apps = (plural: string): string => `/apis/apps/v1/namespaces/${NAMESPACE}/${plural}`;
const batch = (plural: string): string => `/apis/batch/v1/namespaces/${NAMESPACE}/${plural}`;

type Status = Readonly<Record<string, unknown>>;
const statusOf = (object: KubeObject): Status => (object['status'] ?? {}) as Status;
const at = (object: KubeObject, counter: string): number => Number(statusOf(object)[counter] ?? 0);
const observed = (object: KubeObject): boolean =>
  at(object, 'observedGeneration') === object.metadata.generation;
const always = (): boolean => true;
const isNew = (object: KubeObject): boolean => object.metadata.generation === 2;

function hasCondition(type: string): (object: KubeObject) => boolean {
  return (object) => {
    const conditions = (statusOf(object)['conditions'] ?? []) as { type: string; status: string }[];
    return conditions.some((c) => c.type === type && c.status === 'True');
  };
}

function podTemplate(
  app: string,
  image: string,
  restartPolicy = 'Always',
  annotations: object = SLOWLY,
): object {
  return {
    metadata: { labels: { app }, annotations },
    spec: { restartPolicy, containers: [{ name: 'web', image }] },
  };
}

/** A kubelet says which generation of the pod it looked at; pods of workloads are never changed and stay at the first. */
function podReady(status: 'True' | 'False', observedGeneration = 1): Act {
  const conditions = ['Ready', 'ContainersReady'].map((type) => ({
    type,
    status,
    observedGeneration,
  }));
  return { on: 'pod', subresource: 'status', patch: { status: { observedGeneration, conditions } } };
}

function named(apiVersion: string, kind: string, name: string, rest: object): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: NAMESPACE }, ...rest };
}

interface Counters {
  readonly updated: string;
  readonly working: string;
}

/** Two pods, then a new template; one pod fails its probe, and recovers. */
function workload(kind: string, spec: object, { updated, working }: Counters): Life {
  const app = kind.toLowerCase();
  const isDone = (o: KubeObject): boolean =>
    observed(o) && at(o, updated) === 2 && at(o, working) === 2 && at(o, 'replicas') <= 2;
  const isAtWork = (o: KubeObject): boolean => observed(o) && !isDone(o);
  const image = { spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } } };
  return {
    path: apps(`${app}s`),
    object: named('apps/v1', kind, app, {
      spec: { ...spec, selector: { matchLabels: { app } }, template: podTemplate(app, 'web:1') },
    }),
    steps: [
      { name: 'create', until: always },
      { name: 'progress', until: isAtWork },
      { name: 'ready', until: isDone },
      {
        name: 'update',
        act: { on: 'object', patch: image },
        until: (o) => isNew(o) && !observed(o),
      },
      { name: 'progress', until: isAtWork },
      { name: 'ready', until: isDone },
      { name: 'degraded', act: podReady('False'), until: (o) => at(o, working) < 2 },
      { name: 'ready', act: podReady('True'), until: isDone },
    ],
  };
}

/** A kind without a controller of its own, or whose controller reports nothing: stored is all there is. */
function stored(path: string, object: KubeObject, patch: object): Life {
  return {
    path,
    object,
    steps: [
      { name: 'create', until: always },
      { name: 'update', act: { on: 'object', patch }, until: always },
    ],
  };
}

/** A kind whose status an outside controller writes: the script plays it, through the real API server. */
function played(path: string, object: KubeObject, good: object, bad: object): Life {
  const report = (status: object): Act => ({
    on: 'object',
    subresource: 'status',
    patch: { status },
  });
  return {
    path,
    object,
    steps: [
      { name: 'create', until: always },
      { name: 'ready', act: report(good), until: always },
      { name: 'update', act: { on: 'object', patch: LABEL }, until: always },
      { name: 'degraded', act: report(bad), until: always },
      { name: 'ready', act: report(good), until: always },
    ],
  };
}

const ADDRESS = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
const NO_ADDRESS = { loadBalancer: { ingress: null } };
const STORAGE = { accessModes: ['ReadWriteOnce'], storageClassName: 'manual' };

export const LIVES: readonly Life[] = [
  workload(
    'Deployment',
    { replicas: 2 },
    { updated: 'updatedReplicas', working: 'availableReplicas' },
  ),
  workload(
    'StatefulSet',
    { replicas: 2, serviceName: 'statefulset' },
    { updated: 'updatedReplicas', working: 'availableReplicas' },
  ),
  workload('DaemonSet', {}, { updated: 'updatedNumberScheduled', working: 'numberAvailable' }),
  {
    path: apps('replicasets'),
    object: named('apps/v1', 'ReplicaSet', 'replicaset', {
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'replicaset' } },
        template: podTemplate('replicaset', 'web:1'),
      },
    }),
    steps: [
      { name: 'create', until: always },
      { name: 'progress', until: (o) => observed(o) && at(o, 'availableReplicas') < 1 },
      { name: 'ready', until: (o) => at(o, 'availableReplicas') === 1 },
      {
        name: 'update',
        act: { on: 'object', patch: { spec: { replicas: 2 } } },
        until: (o) => isNew(o) && !observed(o),
      },
      { name: 'progress', until: (o) => observed(o) && at(o, 'availableReplicas') < 2 },
      { name: 'ready', until: (o) => observed(o) && at(o, 'availableReplicas') === 2 },
      { name: 'degraded', act: podReady('False'), until: (o) => at(o, 'availableReplicas') < 2 },
      { name: 'ready', act: podReady('True'), until: (o) => at(o, 'availableReplicas') === 2 },
    ],
  },
  {
    path: batch('jobs'),
    object: named('batch/v1', 'Job', 'job', {
      spec: { template: podTemplate('job', 'web:1', 'Never') },
    }),
    steps: [
      { name: 'create', until: always },
      { name: 'progress', until: (o) => at(o, 'active') === 1 },
      { name: 'ready', until: hasCondition('Complete') },
      { name: 'update', act: { on: 'object', patch: LABEL }, until: always },
    ],
  },
  {
    file: 'failed',
    path: batch('jobs'),
    object: named('batch/v1', 'Job', 'job-failed', {
      spec: { backoffLimit: 0, template: podTemplate('job-failed', 'web:1', 'Never', NEVER) },
    }),
    steps: [
      { name: 'create', until: always },
      { name: 'progress', until: (o) => at(o, 'active') === 1 },
      {
        name: 'degraded',
        act: { on: 'pod', subresource: 'status', patch: { status: { phase: 'Failed' } } },
        until: hasCondition('Failed'),
      },
    ],
  },
  stored(
    batch('cronjobs'),
    named('batch/v1', 'CronJob', 'cronjob', {
      spec: {
        schedule: '0 0 1 1 *',
        jobTemplate: { spec: { template: podTemplate('cronjob', 'web:1', 'Never') } },
      },
    }),
    { spec: { schedule: '0 0 2 1 *' } },
  ),
  {
    path: core('pods'),
    object: named('v1', 'Pod', 'pod', {
      metadata: { name: 'pod', namespace: NAMESPACE, labels: { app: 'pod' }, annotations: SLOWLY },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
    }),
    steps: [
      { name: 'create', until: always },
      {
        name: 'progress',
        until: (o) => hasCondition('PodScheduled')(o) && !hasCondition('Ready')(o),
      },
      { name: 'ready', until: hasCondition('Ready') },
      {
        name: 'update',
        act: { on: 'object', patch: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } },
        until: isNew,
      },
      { name: 'degraded', act: podReady('False', 2), until: (o) => !hasCondition('Ready')(o) },
      { name: 'ready', act: podReady('True', 2), until: hasCondition('Ready') },
    ],
  },
  // The pods of the Deployment above.
  {
    path: `/apis/policy/v1/namespaces/${NAMESPACE}/poddisruptionbudgets`,
    object: named('policy/v1', 'PodDisruptionBudget', 'budget', {
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'deployment' } } },
    }),
    pods: 'deployment',
    steps: [
      { name: 'create', until: always },
      { name: 'ready', until: observed },
      {
        name: 'update',
        act: { on: 'object', patch: { spec: { minAvailable: 2 } } },
        until: (o) => isNew(o) && !observed(o),
      },
      { name: 'ready', until: observed },
      { name: 'degraded', act: podReady('False'), until: (o) => at(o, 'currentHealthy') === 1 },
      { name: 'ready', act: podReady('True'), until: (o) => at(o, 'currentHealthy') === 2 },
    ],
  },
  stored(
    `/apis/autoscaling/v2/namespaces/${NAMESPACE}/horizontalpodautoscalers`,
    named('autoscaling/v2', 'HorizontalPodAutoscaler', 'scaler', {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'deployment' },
        maxReplicas: 3,
      },
    }),
    { spec: { maxReplicas: 4 } },
  ),
  stored(
    core('services'),
    named('v1', 'Service', 'service', {
      spec: { selector: { app: 'deployment' }, ports: [{ port: 80 }] },
    }),
    { spec: { ports: [{ port: 80, name: 'http' }] } },
  ),
  {
    ...played(
      core('services'),
      named('v1', 'Service', 'balanced', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }),
      ADDRESS,
      NO_ADDRESS,
    ),
    file: 'load-balancer',
  },
  played(
    `/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/ingresses`,
    named('networking.k8s.io/v1', 'Ingress', 'ingress', {
      spec: { defaultBackend: { service: { name: 'service', port: { number: 80 } } } },
    }),
    ADDRESS,
    NO_ADDRESS,
  ),
  played(
    core('persistentvolumeclaims'),
    named('v1', 'PersistentVolumeClaim', 'claim', {
      spec: { ...STORAGE, resources: { requests: { storage: '1Gi' } } },
    }),
    { phase: 'Bound' },
    { phase: 'Lost' },
  ),
  played(
    '/api/v1/persistentvolumes',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'volume' },
      spec: { ...STORAGE, capacity: { storage: '1Gi' }, hostPath: { path: '/data' } },
    },
    { phase: 'Available' },
    { phase: 'Failed' },
  ),
  stored(core('serviceaccounts'), named('v1', 'ServiceAccount', 'account', {}), LABEL),
  stored(core('secrets'), named('v1', 'Secret', 'secret', { stringData: { pin: 'none' } }), {
    stringData: { pin: 'other' },
  }),
];
