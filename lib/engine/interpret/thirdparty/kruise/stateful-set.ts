import { fieldAt, withField } from '../../field.js';
import { isUpdatedAndAvailable } from '../../aggregate/rolled-out.js';
import type { Interpreter } from '../../interpreter.js';
import { replicasOf, specCount, templateReferences } from '../pattern/pod-template.js';
import { aggregateWithGeneration, reflectWithGeneration } from '../pattern/status.js';

const COUNTERS = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'updatedReadyReplicas',
];
const TEXTS = ['updateRevision', 'currentRevision'];

/** Unlike the built-in kind it reports what its controller has observed, and counts claims that it makes itself. */
export const kruiseStatefulSet: Interpreter = {
  kinds: [{ apiVersion: 'apps.kruise.io/v1beta1', kind: 'StatefulSet' }],
  interpretReplica: (object) =>
    replicasOf(specCount(object, 'replicas'), fieldAt(object, 'spec', 'template')),
  reviseReplica: (object, replicas) => withField(object, ['spec', 'replicas'], replicas),
  interpretDependency: templateReferences,
  interpretHealth: isUpdatedAndAvailable,
  interpretStatus: reflectWithGeneration(...COUNTERS, ...TEXTS, 'observedGeneration'),
  aggregateStatus: aggregateWithGeneration({
    counters: COUNTERS,
    texts: TEXTS,
    initial: { updateRevision: '', currentRevision: '' },
  }),
};
