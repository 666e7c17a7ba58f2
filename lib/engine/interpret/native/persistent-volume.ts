import { firstPhase } from '../aggregate/phase.js';
import { fieldAt, withField } from '../field.js';
import type { Interpreter } from '../interpreter.js';

export const persistentVolume: Interpreter = {
  kinds: [{ apiVersion: 'v1', kind: 'PersistentVolume' }],

  retain(desired, observed) {
    const claimRef = fieldAt(observed, 'spec', 'claimRef');
    return claimRef === undefined ? desired : withField(desired, ['spec', 'claimRef'], claimRef);
  },

  aggregateStatus(object, items) {
    const phase = firstPhase(['Failed', 'Pending', 'Available', 'Bound', 'Released'], items ?? []);
    return { ...object, status: { ...(phase !== '' && { phase }) } };
  },
};
