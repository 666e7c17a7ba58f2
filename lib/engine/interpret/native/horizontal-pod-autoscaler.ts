import { pickFields, sumCounters } from '../aggregate/counters.js';
import { fieldAt } from '../field.js';
import type { Interpreter } from '../interpreter.js';

const COUNTERS = ['currentReplicas', 'desiredReplicas'] as const;

export const horizontalPodAutoscaler: Interpreter = {
  kinds: [{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' }],

  interpretStatus(object) {
    const status = fieldAt(object, 'status');
    return status === undefined ? undefined : pickFields(status, COUNTERS);
  },

  aggregateStatus(object, items) {
    const { currentReplicas, desiredReplicas } = sumCounters(items, COUNTERS);
    return {
      ...object,
      status: { ...(currentReplicas !== 0 && { currentReplicas }), desiredReplicas },
    };
  },
};
