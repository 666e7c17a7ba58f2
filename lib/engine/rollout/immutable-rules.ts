import type { KubeObject } from '../../api/object.js';
import { fieldAt, fieldsOf } from '../interpret/field.js';
import { groupOf } from '../object.js';

/** Names of members, from the object down. */
export type Path = readonly string[];

type Rule = (desired: KubeObject, live: KubeObject) => readonly Path[];

const fields = (...paths: readonly string[]): Rule => {
  const split = paths.map((path) => path.split('.'));
  return () => split;
};

/** Everything in `spec` but these. */
const specExcept = (...names: readonly string[]): Rule => {
  const changeable = new Set(names);
  return (desired, live) =>
    [...new Set([desired, live].flatMap((object) => Object.keys(fieldsOf(object['spec']))))]
      .filter((name) => !changeable.has(name))
      .map((name) => ['spec', name]);
};

/** By API group and kind, as Kubernetes 1.36 validates updates; what a member decides by itself is not among them. */
const RULES: Readonly<Record<string, Rule>> = {
  'apps/DaemonSet': fields('spec.selector'),
  'apps/Deployment': fields('spec.selector'),
  'apps/ReplicaSet': fields('spec.selector'),
  'apps/StatefulSet': specExcept(
    'replicas',
    'ordinals',
    'template',
    'updateStrategy',
    'revisionHistoryLimit',
    'persistentVolumeClaimRetentionPolicy',
    'minReadySeconds',
  ),
  'batch/Job': ofJob,
  'networking.k8s.io/IngressClass': fields('spec.controller'),
  'node.k8s.io/RuntimeClass': fields('handler'),
  'rbac.authorization.k8s.io/ClusterRoleBinding': fields('roleRef'),
  'rbac.authorization.k8s.io/RoleBinding': fields('roleRef'),
  'scheduling.k8s.io/PriorityClass': fields('value', 'preemptionPolicy'),
  'storage.k8s.io/StorageClass': fields(
    'provisioner',
    'parameters',
    'reclaimPolicy',
    'volumeBindingMode',
  ),
  'apiextensions.k8s.io/CustomResourceDefinition': fields(
    'spec.group',
    'spec.scope',
    'spec.names.plural',
    'spec.names.kind',
  ),
  '/ConfigMap': ofSealed,
  '/PersistentVolume': specExcept(
    'capacity',
    'accessModes',
    'persistentVolumeReclaimPolicy',
    'mountOptions',
    'storageClassName',
    'claimRef',
    'nodeAffinity',
    'volumeAttributesClassName',
  ),
  '/PersistentVolumeClaim': specExcept('resources', 'volumeName', 'volumeAttributesClassName'),
  '/Pod': specExcept(
    'activeDeadlineSeconds',
    'terminationGracePeriodSeconds',
    'tolerations',
    'schedulingGates',
    'nodeName',
    'serviceAccountName',
    'volumes',
  ),
  '/Secret': (desired, live) => [['type'], ...ofSealed(desired, live)],
  '/Service': ofService,
};

/** What may not change from `live` to `desired`, for kinds of Kubernetes; empty for all others. */
export function immutablePaths(desired: KubeObject, live: KubeObject): readonly Path[] {
  return RULES[`${groupOf(desired.apiVersion)}/${desired.kind}`]?.(desired, live) ?? [];
}

function ofJob(desired: KubeObject, live: KubeObject): readonly Path[] {
  const isManual = fieldAt(desired, 'spec', 'manualSelector') === true;
  const isIndexed = fieldAt(live, 'spec', 'completionMode') === 'Indexed';
  const names = [
    'template',
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'successPolicy',
    'managedBy',
    ...(isManual ? ['selector'] : []),
    // Indexed ones may grow and shrink together with `parallelism`.
    ...(isIndexed ? [] : ['completions']),
  ];
  return names.map((name) => ['spec', name]);
}

/** Secrets and ConfigMaps that are sealed with `immutable: true` stay so, with what is in them. */
function ofSealed(_desired: KubeObject, live: KubeObject): readonly Path[] {
  return live['immutable'] === true ? [['data'], ['binaryData'], ['immutable']] : [];
}

/** The address is the member's own; but a Service with one cannot become headless, nor the other way round. */
function ofService(desired: KubeObject, live: KubeObject): readonly Path[] {
  const isHeadless = (object: KubeObject): boolean =>
    fieldAt(object, 'spec', 'clusterIP') === 'None';
  const isExternal = (object: KubeObject): boolean =>
    fieldAt(object, 'spec', 'type') === 'ExternalName';
  const isMoot = isExternal(desired) || isExternal(live);
  return isMoot || isHeadless(desired) === isHeadless(live) ? [] : [['spec', 'clusterIP']];
}
