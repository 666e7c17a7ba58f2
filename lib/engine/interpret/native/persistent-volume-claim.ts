import { reporting } from '../aggregate/counters.js';
import { textAt, withField } from '../field.js';
import type { Interpreter } from '../interpreter.js';

export const persistentVolumeClaim: Interpreter = {
  kinds: [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' }],

  retain(desired, observed) {
    const volumeName = textAt(observed, 'spec', 'volumeName');
    return volumeName === '' ? desired : withField(desired, ['spec', 'volumeName'], volumeName);
  },

  interpretHealth(object) {
    return textAt(object, 'status', 'phase') === 'Bound';
  },

  /** Bound unless a cluster says otherwise: the first Lost, else the last phase that is not Bound. */
  aggregateStatus(object, items) {
    let phase = 'Bound';
    for (const { status } of reporting(items)) {
      const reported = textAt(status, 'phase');
      if (reported !== 'Bound') phase = reported;
      if (reported === 'Lost') break;
    }
    return { ...object, status: { ...(phase !== '' && { phase }) } };
  },
};
