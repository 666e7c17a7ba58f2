import { fieldAt, textAt } from '../field.js';
import type { Interpreter } from '../interpreter.js';

export const secret: Interpreter = {
  kinds: [{ apiVersion: 'v1', kind: 'Secret' }],

  /** The token of a service account is written by the cluster. */
  retain(desired, observed) {
    const data = fieldAt(observed, 'data');
    const isToken = textAt(desired, 'type') === 'kubernetes.io/service-account-token';
    return isToken && data !== undefined ? { ...desired, data } : desired;
  },
};
