import { fieldAt } from '../field.js';
import type { Interpreter } from '../interpreter.js';
import { reportCounters, sumCounters, withCounters } from './counters.js';
import { federatedGeneration, generationFields, hasCaughtUp } from './generation.js';

/**
 * Status of a kind that reports counters and the generation its controller has observed, and their sum over clusters:
 * Karmada's rule for Deployment, ReplicaSet and DaemonSet. Counters that are `optional` are left out when 0.
 * Source: lifecycle reference §3.3, §3.6.
 */
export function observedCounters(
  counters: readonly string[],
  optional: ReadonlySet<string>,
): Required<Pick<Interpreter, 'interpretStatus' | 'aggregateStatus'>> {
  return {
    interpretStatus(object) {
      const status = fieldAt(object, 'status');
      if (status === undefined) return undefined;
      return {
        ...reportCounters(status, [...counters, 'observedGeneration'], optional),
        ...generationFields(object),
      };
    },

    aggregateStatus(object, items) {
      const observedGeneration = federatedGeneration(object, items, hasCaughtUp);
      return withCounters(
        object,
        { ...sumCounters(items, counters), observedGeneration },
        optional,
      );
    },
  };
}
