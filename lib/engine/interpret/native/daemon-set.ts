import { federatedGeneration, generationFields, hasCaughtUp } from '../aggregate/generation.js';
import { reportCounters, sumCounters, withCounters } from '../aggregate/counters.js';
import { isObserved } from '../aggregate/rolled-out.js';
import { countAt, fieldAt } from '../field.js';
import type { Interpreter } from '../interpreter.js';
import { templateReferences } from '../pod/workload.js';

const COUNTERS = [
  'currentNumberScheduled',
  'desiredNumberScheduled',
  'numberAvailable',
  'numberMisscheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberUnavailable',
] as const;

const OPTIONAL: ReadonlySet<string> = new Set([
  'numberAvailable',
  'updatedNumberScheduled',
  'numberUnavailable',
  'observedGeneration',
]);

export const daemonSet: Interpreter = {
  kinds: [{ apiVersion: 'apps/v1', kind: 'DaemonSet' }],
  interpretDependency: templateReferences,

  interpretHealth(object) {
    const updated = countAt(object, 'status', 'updatedNumberScheduled');
    return (
      isObserved(object) &&
      updated >= countAt(object, 'status', 'desiredNumberScheduled') &&
      countAt(object, 'status', 'numberAvailable') >= updated
    );
  },

  interpretStatus(object) {
    const status = fieldAt(object, 'status');
    if (status === undefined) return undefined;
    return {
      ...reportCounters(status, [...COUNTERS, 'observedGeneration'], OPTIONAL),
      ...generationFields(object),
    };
  },

  aggregateStatus(object, items) {
    const observedGeneration = federatedGeneration(object, items, hasCaughtUp);
    return withCounters(object, { ...sumCounters(items, COUNTERS), observedGeneration }, OPTIONAL);
  },
};
