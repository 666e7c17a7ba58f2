import { hasAddress, mergeIngress } from '../aggregate/load-balancer.js';
import { fieldAt, listAt, textAt } from '../field.js';
import { InterpretError } from '../interpret-error.js';
import type { Interpreter } from '../interpreter.js';
import { namespaceOf, referenceTo, uniqueReferences } from '../pod/references.js';

export const ingress: Interpreter = {
  kinds: [{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' }],

  interpretHealth(object) {
    return hasAddress(fieldAt(object, 'status'));
  },

  interpretDependency(object) {
    const names = listAt(object, 'spec', 'tls').map((tls) => textAt(tls, 'secretName'));
    if (names.includes('')) {
      throw new InterpretError(
        `Ingress ${object.metadata.name ?? ''} has a tls entry without secretName`,
      );
    }
    return uniqueReferences(
      names.map((name) => referenceTo('v1', 'Secret', namespaceOf(object), name)),
    );
  },

  aggregateStatus(object, items) {
    const merged = mergeIngress(items, false);
    return { ...object, status: { loadBalancer: merged.length > 0 ? { ingress: merged } : {} } };
  },
};
