import { fieldAt, withField } from '../../field.js';
import { isUpdatedAndAvailable } from '../../aggregate/rolled-out.js';
import type { Interpreter } from '../../interpreter.js';
import { replicasOf, specCount, templateReferences } from '../pattern/pod-template.js';
import { aggregateWithGeneration, reflectWithGeneration } from '../pattern/status.js';

const COUNTERS = [
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'updatedReadyReplicas',
  'expectedUpdatedReplicas',
];
const TEXTS = ['updateRevision', 'currentRevision', 'labelSelector'];

export const cloneSet: Interpreter = {
  kinds: [{ apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet' }],
  interpretReplica: (object) =>
    replicasOf(specCount(object, 'replicas'), fieldAt(object, 'spec', 'template')),
  reviseReplica: (object, replicas) => withField(object, ['spec', 'replicas'], replicas),
  interpretDependency: templateReferences,
  interpretHealth: isUpdatedAndAvailable,
  interpretStatus: reflectWithGeneration(...COUNTERS, ...TEXTS, 'observedGeneration'),
  aggregateStatus: aggregateWithGeneration({ counters: COUNTERS, texts: TEXTS }),
};
