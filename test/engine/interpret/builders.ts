import type { KubeObject } from '../../../lib/engine/object.js';

export type { KubeObject } from '../../../lib/engine/object.js';
export type { Interpreter } from '../../../lib/engine/interpret/index.js';

const API_VERSIONS: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  DaemonSet: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Ingress: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
};

/** `shop/web` of a kind, frozen to its last leaf: whoever writes to an input fails the test. */
export function anObject(
  kind: string,
  spec: object,
  rest: { metadata?: object; status?: object; [field: string]: unknown } = {},
): KubeObject {
  const { metadata, ...fields } = rest;
  return deepFreeze({
    apiVersion: API_VERSIONS[kind] ?? 'v1',
    kind,
    metadata: { namespace: 'shop', name: 'web', ...metadata },
    spec,
    ...fields,
  });
}

/** A workload whose pod template is the given pod spec. */
export function aWorkload(kind: string, podSpec: object, spec: object = {}): KubeObject {
  return anObject(kind, { ...spec, template: { spec: podSpec } });
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
