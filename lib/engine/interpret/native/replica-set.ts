import { federatedGeneration, generationFields, hasCaughtUp } from '../aggregate/generation.js';
import { reportCounters, sumCounters, withCounters } from '../aggregate/counters.js';
import { isObserved } from '../aggregate/rolled-out.js';
import { countAt, fieldAt } from '../field.js';
import type { Interpreter } from '../interpreter.js';
import { interpretReplicas, revise, templateReferences } from '../pod/workload.js';

const COUNTERS = ['replicas', 'readyReplicas', 'availableReplicas'] as const;

const OPTIONAL: ReadonlySet<string> = new Set([
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
]);

export const replicaSet: Interpreter = {
  kinds: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet' }],
  interpretReplica: interpretReplicas,
  reviseReplica: revise('replicas'),
  interpretDependency: templateReferences,

  interpretHealth(object) {
    const wanted = fieldAt(object, 'spec', 'replicas');
    if (!isObserved(object)) return false;
    return typeof wanted !== 'number' || countAt(object, 'status', 'availableReplicas') >= wanted;
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
