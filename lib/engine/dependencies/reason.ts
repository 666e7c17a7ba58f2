import type { KubeObject } from '../../api/object.js';
import { fieldAt, listAt, textAt } from '../interpret/field.js';
import type { DependentReference } from '../interpret/index.js';
import { isOf } from '../object.js';
import { podTemplateOf } from './pod-template.js';

/** Where in a template a reference stands, for people: `volume "env"`, `envFrom of container "web"`. */
export function reasonFor(template: KubeObject, reference: DependentReference): string {
  const { kind, name = '' } = reference;
  if (reference.name === undefined) return `selects ${kind} by label`;
  const spec = podTemplateOf(template)?.spec;
  const found = spec === undefined ? undefined : placeInPod(spec, kind, name);
  if (found !== undefined) return found;
  if (isOf(template, 'networking.k8s.io', 'Ingress')) return 'its TLS certificate';
  return `refers to ${kind}`;
}

function placeInPod(spec: unknown, kind: string, name: string): string | undefined {
  if (kind === 'ServiceAccount') return 'its service account';
  for (const volume of listAt(spec, 'volumes')) {
    if (mentions(volume, kind, name)) return `volume "${textAt(volume, 'name')}"`;
  }
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of listAt(spec, list)) {
      const place = placeInContainer(container, kind, name);
      if (place !== undefined) return `${place} of container "${textAt(container, 'name')}"`;
    }
  }
  const pulls = kind === 'Secret' && listAt(spec, 'imagePullSecrets');
  if (pulls !== false && pulls.some((secret) => textAt(secret, 'name') === name)) {
    return 'image pull secret';
  }
  return undefined;
}

function placeInContainer(container: unknown, kind: string, name: string): string | undefined {
  const [from, keyRef] =
    kind === 'ConfigMap' ? ['configMapRef', 'configMapKeyRef'] : ['secretRef', 'secretKeyRef'];
  for (const variable of listAt(container, 'env')) {
    if (textAt(variable, 'valueFrom', keyRef, 'name') === name) {
      return `variable ${textAt(variable, 'name')}`;
    }
  }
  const all = listAt(container, 'envFrom').some((source) => textAt(source, from, 'name') === name);
  return all ? 'envFrom' : undefined;
}

/** Volume sources that name a ConfigMap or a claim; everything else that names something names a Secret. */
function mentions(volume: unknown, kind: string, name: string): boolean {
  switch (kind) {
    case 'PersistentVolumeClaim':
      return textAt(volume, 'persistentVolumeClaim', 'claimName') === name;
    case 'ConfigMap':
      return textAt(volume, 'configMap', 'name') === name || isProjected(volume, 'configMap', name);
    default:
      return isSecretVolume(volume, name) || isProjected(volume, 'secret', name);
  }
}

function isSecretVolume(volume: unknown, name: string): boolean {
  if (typeof volume !== 'object' || volume === null) return false;
  return Object.entries(volume).some(
    ([source, value]) =>
      source !== 'configMap' &&
      (textAt(value, 'secretName') === name ||
        textAt(value, 'secretRef', 'name') === name ||
        textAt(value, 'nodePublishSecretRef', 'name') === name),
  );
}

function isProjected(volume: unknown, source: string, name: string): boolean {
  return listAt(volume, 'projected', 'sources').some(
    (one) => fieldAt(one, source, 'name') === name,
  );
}
