import type { KubeObject } from '../../../api/object.js';
import { listAt, textAt } from '../field.js';
import type { Interpreter } from '../interpreter.js';

export const serviceAccount: Interpreter = {
  kinds: [{ apiVersion: 'v1', kind: 'ServiceAccount' }],

  /** Secrets that the cluster's token controller added stay behind the desired ones. */
  retain(desired, observed) {
    return {
      ...desired,
      secrets: union('secrets', desired, observed),
      imagePullSecrets: union('imagePullSecrets', desired, observed),
    };
  },
};

function union(field: string, desired: KubeObject, observed: KubeObject): readonly unknown[] {
  const own = listAt(desired, field);
  const names = new Set(own.map((entry) => textAt(entry, 'name')));
  return [...own, ...listAt(observed, field).filter((entry) => !names.has(textAt(entry, 'name')))];
}
