import type { KubeObject } from '../../api/object.js';
import { fieldAt, listAt, objectAt, textAt, withField, withoutField } from '../interpret/field.js';

/** What an API server writes into metadata: never part of a manifest. */
const SERVER_METADATA = [
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
  'ownerReferences',
  'finalizers',
] as const;

const JOB_UID_LABELS = ['controller-uid', 'batch.kubernetes.io/controller-uid'] as const;
const JOB_LABELS = [...JOB_UID_LABELS, 'job-name', 'batch.kubernetes.io/job-name'] as const;

/**
 * The object without what belongs to the API server or controllers it came from: server metadata, status, generated labels,
 * allocated addresses. Kinds are told by their kind string alone, as Karmada does, so a Volcano `Job` loses
 * `ttlSecondsAfterFinished` too. Source: lifecycle reference §3.8.
 */
export function prune(object: KubeObject): KubeObject {
  const { status: _, ...rest } = object;
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const field of SERVER_METADATA) delete metadata[field];
  const pruned = { ...rest, metadata } as KubeObject;
  return BY_KIND.get(object.kind)?.(pruned) ?? pruned;
}

const BY_KIND: ReadonlyMap<string, (object: KubeObject) => KubeObject> = new Map([
  ['Deployment', pruneDeployment],
  ['Job', pruneJob],
  ['Secret', pruneSecret],
  ['ServiceAccount', pruneServiceAccount],
  ['Service', pruneService],
  ['PersistentVolumeClaim', prunePersistentVolumeClaim],
]);

function pruneDeployment(object: KubeObject): KubeObject {
  const annotations = [
    'deployment.kubernetes.io/revision',
    'deployment.kubernetes.io/revision-history',
  ];
  return withoutMembers(object, ['metadata', 'annotations'], annotations);
}

function pruneJob(object: KubeObject): KubeObject {
  const lasting = withoutField(object, ['spec', 'ttlSecondsAfterFinished']);
  if (fieldAt(object, 'spec', 'manualSelector') === true) return lasting;
  const selecting = withoutMembers(lasting, ['spec', 'selector', 'matchLabels'], JOB_UID_LABELS);
  return withoutMembers(selecting, ['spec', 'template', 'metadata', 'labels'], JOB_LABELS);
}

function pruneSecret(object: KubeObject): KubeObject {
  if (textAt(object, 'type') !== 'kubernetes.io/service-account-token') return object;
  const anonymous = withoutMembers(
    object,
    ['metadata', 'annotations'],
    ['kubernetes.io/service-account.uid'],
  );
  return withoutField(anonymous, ['data']);
}

/** As in Karmada, the entry behind a removed one is not looked at: of two adjacent tokens the second stays. */
function pruneServiceAccount(object: KubeObject): KubeObject {
  const prefix = `${object.metadata.name ?? ''}-token-`;
  const secrets = [...listAt(object, 'secrets')];
  const before = secrets.length;
  for (let i = 0; i < secrets.length; i += 1) {
    if (textAt(secrets[i], 'name').startsWith(prefix)) secrets.splice(i, 1);
  }
  return secrets.length === before ? object : { ...object, secrets };
}

function pruneService(object: KubeObject): KubeObject {
  if (textAt(object, 'spec', 'clusterIP') === 'None') return object;
  return withoutMembers(object, ['spec'], ['clusterIP', 'clusterIPs']);
}

function prunePersistentVolumeClaim(object: KubeObject): KubeObject {
  return withoutMembers(
    object,
    ['metadata', 'annotations'],
    ['volume.kubernetes.io/selected-node'],
  );
}

function withoutMembers(
  object: KubeObject,
  path: readonly string[],
  names: readonly string[],
): KubeObject {
  const members = objectAt(object, ...path);
  if (members === undefined || !names.some((name) => Object.hasOwn(members, name))) return object;
  const kept = Object.fromEntries(
    Object.entries(members).filter(([name]) => !names.includes(name)),
  );
  return withField(object, path, kept);
}
