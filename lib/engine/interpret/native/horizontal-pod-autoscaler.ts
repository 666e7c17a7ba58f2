import { reportCounters, sumCounters } from '../aggregate/counters.js';
import { countAt, fieldAt } from '../field.js';
import type { Interpreter } from '../interpreter.js';

const COUNTERS = ['currentReplicas', 'desiredReplicas'] as const;

const OPTIONAL: ReadonlySet<string> = new Set(['currentReplicas']);

export const horizontalPodAutoscaler: Interpreter = {
  kinds: [{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' }],

  interpretStatus(object) {
    const status = fieldAt(object, 'status');
    return status === undefined ? undefined : reportCounters(status, COUNTERS, OPTIONAL);
  },

  aggregateStatus(object, items) {
    const sums = sumCounters(items, COUNTERS);
    const isSame = COUNTERS.every((name) => countAt(object, 'status', name) === sums[name]);
    return isSame ? object : { ...object, status: reportCounters(sums, COUNTERS, OPTIONAL) };
  },
};
