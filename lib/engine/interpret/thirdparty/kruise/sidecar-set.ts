import type { KubeObject } from '../../../../api/object.js';
import { countAt, fieldAt, listAt, textAt } from '../../field.js';
import { InterpretError } from '../../interpret-error.js';
import type { DependentReference, Interpreter } from '../../interpreter.js';
import { namespaceOf, referenceTo, uniqueReferences } from '../../pod/references.js';
import { withoutEmpty } from '../pattern/answer.js';
import { sums } from '../pattern/status.js';

const COUNTERS = ['matchedPods', 'updatedPods', 'readyPods'] as const;

export const sidecarSet: Interpreter = {
  kinds: [{ apiVersion: 'apps.kruise.io/v1alpha1', kind: 'SidecarSet' }],
  interpretReplica: () => ({ replicas: 0 }),
  retain: (desired) => desired,

  interpretStatus(object) {
    const status = fieldAt(object, 'status');
    return status === undefined
      ? {}
      : Object.fromEntries(COUNTERS.map((name) => [name, countAt(status, name)]));
  },

  interpretHealth(object) {
    const status = fieldAt(object, 'status');
    if (status === undefined) return false;
    const matched = countAt(status, 'matchedPods');
    return matched === 0 || countAt(status, 'updatedPods') === matched;
  },

  /** Karmada's answer has no spec; only the status of it is ever written. */
  aggregateStatus({ apiVersion, kind, metadata }, items) {
    if (items === undefined)
      throw new InterpretError('a SidecarSet cannot be aggregated without a list of items');
    return withoutEmpty({ apiVersion, kind, metadata, status: sums(items, COUNTERS) });
  },

  interpretDependency: sidecarReferences,
};

/** Only what containers and volumes name: no init containers, pull secrets or claims. */
function sidecarReferences(object: KubeObject): readonly DependentReference[] {
  const named: [kind: string, name: string][] = [];
  for (const container of listAt(object, 'spec', 'containers')) {
    for (const { from, kind, path } of CONTAINER_SOURCES) {
      for (const source of listAt(container, from)) named.push([kind, textAt(source, ...path)]);
    }
  }
  for (const volume of listAt(object, 'spec', 'volumes')) {
    named.push(
      ['ConfigMap', textAt(volume, 'configMap', 'name')],
      ['Secret', textAt(volume, 'secret', 'secretName')],
    );
    for (const source of listAt(volume, 'projected', 'sources')) {
      named.push(
        ['ConfigMap', textAt(source, 'configMap', 'name')],
        ['Secret', textAt(source, 'secret', 'name')],
      );
    }
  }
  const namespace = namespaceOf(object);
  return uniqueReferences(
    named
      .filter(([, name]) => name !== '')
      .map(([kind, name]) => referenceTo('v1', kind, namespace, name)),
  );
}

const CONTAINER_SOURCES = [
  { from: 'env', kind: 'ConfigMap', path: ['valueFrom', 'configMapKeyRef', 'name'] },
  { from: 'env', kind: 'Secret', path: ['valueFrom', 'secretKeyRef', 'name'] },
  { from: 'envFrom', kind: 'ConfigMap', path: ['configMapRef', 'name'] },
  { from: 'envFrom', kind: 'Secret', path: ['secretRef', 'name'] },
] as const;
