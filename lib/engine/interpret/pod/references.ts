import type { KubeObject } from '../../../api/object.js';
import { compareBy, inOrder } from '../../compare.js';
import { fieldAt, listAt, textAt } from '../field.js';
import type { DependentReference } from '../interpreter.js';

/** Where a volume source names a Secret, relative to the volume. */
const SECRET_PATHS = [
  ['secret', 'secretName'],
  ['azureFile', 'secretName'],
  ['cephfs', 'secretRef', 'name'],
  ['cinder', 'secretRef', 'name'],
  ['flexVolume', 'secretRef', 'name'],
  ['rbd', 'secretRef', 'name'],
  ['scaleIO', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'],
  ['storageos', 'secretRef', 'name'],
  ['csi', 'nodePublishSecretRef', 'name'],
] as const;

/**
 * The ConfigMaps, Secrets, claims and service account that a pod spec names, in the given namespace.
 *
 * Each object once, sorted by apiVersion, kind, namespace, name. Empty names and the service account `default` are left
 * out, `optional` makes no difference, nothing transitive is followed. Source: lifecycle reference §10.2.
 */
export function podReferences(
  podSpec: unknown,
  namespace: string | undefined,
): readonly DependentReference[] {
  const found: [kind: string, name: string][] = [];
  for (const secret of listAt(podSpec, 'imagePullSecrets'))
    found.push(['Secret', textAt(secret, 'name')]);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of listAt(podSpec, list)) found.push(...containerReferences(container));
  }
  for (const volume of listAt(podSpec, 'volumes')) found.push(...volumeReferences(volume));
  const account = textAt(podSpec, 'serviceAccountName');
  if (account !== 'default') found.push(['ServiceAccount', account]);

  const named = found.filter(([, name]) => name !== '');
  return uniqueReferences(named.map(([kind, name]) => referenceTo('v1', kind, namespace, name)));
}

/** A reference by name; an empty namespace is absent. */
export function referenceTo(
  apiVersion: string,
  kind: string,
  namespace: string | undefined,
  name: string,
): DependentReference {
  return {
    apiVersion,
    kind,
    ...(namespace !== undefined && namespace !== '' && { namespace }),
    name,
  };
}

/** Namespace of the object that refers; absent for cluster-scoped ones. */
export function namespaceOf(object: KubeObject): string | undefined {
  return textAt(object, 'metadata', 'namespace') || undefined;
}

/** Each reference once, in the order (1) apiVersion (2) kind (3) namespace (4) name (5) selector. */
export function uniqueReferences(
  references: readonly DependentReference[],
): readonly DependentReference[] {
  const byKey = new Map(
    references.map((reference) => [JSON.stringify([keyOf(reference)]), reference]),
  );
  return [...byKey.values()].sort(REFERENCE_ORDER);
}

const REFERENCE_ORDER = inOrder<DependentReference>(
  compareBy((r) => r.apiVersion),
  compareBy((r) => r.kind),
  compareBy((r) => r.namespace ?? ''),
  compareBy((r) => r.name ?? ''),
  compareBy((r) => JSON.stringify(r.labelSelector ?? null)),
);

function keyOf(r: DependentReference): readonly unknown[] {
  return [r.apiVersion, r.kind, r.namespace ?? '', r.name ?? '', r.labelSelector ?? null];
}

function containerReferences(container: unknown): [string, string][] {
  const found: [string, string][] = [];
  for (const source of listAt(container, 'envFrom')) {
    found.push(
      ['ConfigMap', textAt(source, 'configMapRef', 'name')],
      ['Secret', textAt(source, 'secretRef', 'name')],
    );
  }
  for (const variable of listAt(container, 'env')) {
    const from = fieldAt(variable, 'valueFrom');
    found.push(
      ['ConfigMap', textAt(from, 'configMapKeyRef', 'name')],
      ['Secret', textAt(from, 'secretKeyRef', 'name')],
    );
  }
  return found;
}

function volumeReferences(volume: unknown): [string, string][] {
  const found: [string, string][] = [
    ['ConfigMap', textAt(volume, 'configMap', 'name')],
    ['PersistentVolumeClaim', textAt(volume, 'persistentVolumeClaim', 'claimName')],
    ...SECRET_PATHS.map((path): [string, string] => ['Secret', textAt(volume, ...path)]),
  ];
  for (const source of listAt(volume, 'projected', 'sources')) {
    found.push(
      ['ConfigMap', textAt(source, 'configMap', 'name')],
      ['Secret', textAt(source, 'secret', 'name')],
    );
  }
  return found;
}
