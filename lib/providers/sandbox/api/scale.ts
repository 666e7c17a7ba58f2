import { cloneJson, isObject, objectAt, type JsonObject } from '../merge/json.js';
import type { Kind } from '../schema/kinds.js';

/** The `Scale` of a workload: its replicas, seen alone. */
export function scaleOf(kind: Kind, object: JsonObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = objectAt(object, 'metadata');
  const paths = pathsOf(kind);
  const labels = objectAt(object, 'spec', 'selector', 'matchLabels');
  const selector = Object.keys(labels)
    .sort()
    .map((key) => `${key}=${String(labels[key])}`)
    .join(',');
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: Number(at(object, paths.spec) ?? 0) },
    status: {
      replicas: Number(at(object, paths.status) ?? 0),
      ...(selector !== '' && { selector }),
    },
  };
}

/** The workload with the replicas of a `Scale`. */
export function withScale(kind: Kind, live: JsonObject, scale: JsonObject): JsonObject {
  const draft = cloneJson(live);
  const path = pathsOf(kind).spec;
  let target: JsonObject = draft;
  for (const key of path.slice(0, -1)) {
    const next = isObject(target[key]) ? target[key] : {};
    target[key] = next;
    target = next;
  }
  target[path.at(-1) ?? 'replicas'] = objectAt(scale, 'spec')['replicas'];
  const { resourceVersion } = objectAt(scale, 'metadata');
  return {
    ...draft,
    metadata: {
      ...objectAt(draft, 'metadata'),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
  };
}

function pathsOf(kind: Kind): {
  readonly spec: readonly string[];
  readonly status: readonly string[];
} {
  const scale = kind.custom?.scale ?? { spec: '.spec.replicas', status: '.status.replicas' };
  // A CRD chooses these paths: one through the prototype would reach every object.
  const split = (path: string): readonly string[] =>
    path.split('.').filter((part) => part !== '' && part !== '__proto__');
  return { spec: split(scale.spec), status: split(scale.status) };
}

function at(object: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), object);
}
