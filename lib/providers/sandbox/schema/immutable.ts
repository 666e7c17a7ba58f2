import type { Cause } from '../api/status.js';
import { equalJson, isObject, objectAt, type JsonObject } from '../merge/json.js';
import type { Kind } from './kinds.js';
import { invalidValue, shown } from './validate.js';

/** What an update may not change. */
export function immutableCauses(kind: Kind, live: JsonObject, next: JsonObject): readonly Cause[] {
  const fields = IMMUTABLE[`${kind.group}/${kind.kind}`] ?? [];
  const causes: Cause[] = fields
    .filter((path) => !equalJson(at(live, path), at(loosened(kind, live, next), path)))
    .map((path) => invalidValue(path, `${shown(at(next, path))}: field is immutable`));
  if (live['immutable'] === true && kind.group === '') {
    for (const field of ['data', 'binaryData', 'immutable']) {
      if (!equalJson(live[field], next[field])) {
        causes.push({
          reason: 'FieldValueForbidden',
          field,
          message: 'Forbidden: field is immutable when `immutable` is set',
        });
      }
    }
  }
  if (
    kind.kind === 'PersistentVolumeClaim' &&
    !equalJson(claimOf(live, live), claimOf(next, live))
  ) {
    causes.push({
      reason: 'FieldValueForbidden',
      field: 'spec',
      message:
        'Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    });
  }
  if (kind.kind === 'StatefulSet' && !equalJson(fixedOf(live), fixedOf(next))) {
    causes.push({
      reason: 'FieldValueForbidden',
      field: 'spec',
      message:
        "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    });
  }
  return causes;
}

const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  'apps/Deployment': ['spec.selector'],
  'apps/DaemonSet': ['spec.selector'],
  'apps/ReplicaSet': ['spec.selector'],
  'batch/Job': ['spec.selector', 'spec.template', 'spec.completionMode', 'spec.completions'],
  '/Service': ['spec.clusterIP'],
  '/Secret': ['type'],
  'rbac.authorization.k8s.io/RoleBinding': ['roleRef'],
  'rbac.authorization.k8s.io/ClusterRoleBinding': ['roleRef'],
  'storage.k8s.io/StorageClass': [
    'provisioner',
    'parameters',
    'reclaimPolicy',
    'volumeBindingMode',
  ],
  'apiextensions.k8s.io/CustomResourceDefinition': [
    'spec.group',
    'spec.scope',
    'spec.names.plural',
    'spec.names.kind',
  ],
};

const CHANGEABLE = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

function fixedOf(object: JsonObject): unknown {
  return Object.fromEntries(
    Object.entries(objectAt(object, 'spec')).filter(([key]) => !CHANGEABLE.has(key)),
  );
}

/** A class may come late, from the default, but not change. */
function claimOf(object: JsonObject, live: JsonObject): unknown {
  const { resources: _r, volumeName: _v, storageClassName, ...fixed } = objectAt(object, 'spec');
  const isSet = objectAt(live, 'spec')['storageClassName'] !== undefined;
  return { ...fixed, ...(isSet && { storageClassName }) };
}

/** A Job that waits may still be told where to run: that part of its template counts as it was. */
function loosened(kind: Kind, live: JsonObject, next: JsonObject): JsonObject {
  const spec = objectAt(live, 'spec');
  if (kind.kind !== 'Job' || spec['suspend'] !== true) return next;
  const [old, template] = [
    objectAt(spec, 'template'),
    objectAt(objectAt(next, 'spec'), 'template'),
  ];
  const scheduling = ['affinity', 'nodeSelector', 'schedulingGates', 'tolerations'];
  const { metadata } = old;
  const pod = Object.fromEntries([
    ...Object.entries(objectAt(template, 'spec')).filter(([key]) => !scheduling.includes(key)),
    ...Object.entries(objectAt(old, 'spec')).filter(([key]) => scheduling.includes(key)),
  ]);
  const kept = { ...template, ...(metadata !== undefined && { metadata }), spec: pod };
  return { ...next, spec: { ...objectAt(next, 'spec'), template: kept } };
}

function at(object: JsonObject, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), object);
}
