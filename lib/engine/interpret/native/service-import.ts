import type { Interpreter } from '../interpreter.js';
import { namespaceOf, referenceTo } from '../pod/references.js';

export const serviceImport: Interpreter = {
  kinds: [{ apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceImport' }],

  /** The Service that Karmada derives from the import, and its endpoints. */
  interpretDependency(object) {
    const name = `derived-${object.metadata.name ?? ''}`;
    const namespace = namespaceOf(object);
    return [
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        ...(namespace !== undefined && { namespace }),
        labelSelector: { matchLabels: { 'kubernetes.io/service-name': name } },
      },
      referenceTo('v1', 'Service', namespace, name),
    ];
  },
};
