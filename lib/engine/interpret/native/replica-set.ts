import { observedCounters } from '../aggregate/observed-counters.js';
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
  ...observedCounters(COUNTERS, OPTIONAL),
  kinds: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet' }],
  interpretReplica: interpretReplicas,
  reviseReplica: revise('replicas'),
  interpretDependency: templateReferences,

  interpretHealth(object) {
    const wanted = fieldAt(object, 'spec', 'replicas');
    if (!isObserved(object)) return false;
    return typeof wanted !== 'number' || countAt(object, 'status', 'availableReplicas') >= wanted;
  },
};
