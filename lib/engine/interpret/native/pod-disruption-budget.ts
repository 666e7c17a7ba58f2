import { pickFields, reporting, sumCounters } from '../aggregate/counters.js';
import { countAt, fieldAt, fieldsOf } from '../field.js';
import type { Interpreter } from '../interpreter.js';

const COUNTERS = [
  'currentHealthy',
  'desiredHealthy',
  'expectedPods',
  'disruptionsAllowed',
] as const;

export const podDisruptionBudget: Interpreter = {
  kinds: [{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' }],

  interpretHealth(object) {
    return (
      countAt(object, 'status', 'currentHealthy') >= countAt(object, 'status', 'desiredHealthy')
    );
  },

  interpretStatus(object) {
    const status = fieldAt(object, 'status');
    return status === undefined ? undefined : pickFields(status, [...COUNTERS, 'disruptedPods']);
  },

  aggregateStatus(object, items) {
    const disrupted = reporting(items).flatMap(({ clusterName, status }) =>
      Object.entries(fieldsOf(fieldAt(status, 'disruptedPods'))).map(([pod, time]) => [
        `${clusterName}/${pod}`,
        time,
      ]),
    );
    return {
      ...object,
      status: {
        ...sumCounters(items, COUNTERS),
        ...(disrupted.length > 0 && { disruptedPods: Object.fromEntries(disrupted) as unknown }),
      },
    };
  },
};
