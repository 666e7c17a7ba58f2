import { observedCounters } from '../aggregate/observed-counters.js';
import { isObserved } from '../aggregate/rolled-out.js';
import { countAt } from '../field.js';
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
  ...observedCounters(COUNTERS, OPTIONAL),
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
};
