import { expect, test } from '@jest/globals';
import { interpreterFor } from '../../../../lib/engine/interpret/index.js';
import { anObject } from '../builders.js';

const READY = { conditions: [{ type: 'Ready', status: 'True' }] };
const TWO_OF_TWO = { observedGeneration: 7, updatedReplicas: 2, availableReplicas: 2 };

test.each<[name: string, kind: string, spec: object, status: object, healthy: boolean]>([
  ['rolled out', 'Deployment', { replicas: 2 }, TWO_OF_TWO, true],
  [
    'not yet available',
    'Deployment',
    { replicas: 2 },
    { ...TWO_OF_TWO, availableReplicas: 1 },
    false,
  ],
  [
    'not yet observed',
    'Deployment',
    { replicas: 2 },
    { ...TWO_OF_TWO, observedGeneration: 6 },
    false,
  ],
  ['too few updated', 'StatefulSet', { replicas: 3 }, TWO_OF_TWO, false],
  [
    'available',
    'ReplicaSet',
    { replicas: 2 },
    { observedGeneration: 7, availableReplicas: 2 },
    true,
  ],
  [
    'one node missing',
    'DaemonSet',
    {},
    { observedGeneration: 7, desiredNumberScheduled: 3, updatedNumberScheduled: 2 },
    false,
  ],
  ['no load balancer asked', 'Service', { type: 'ClusterIP' }, {}, true],
  ['no address yet', 'Service', { type: 'LoadBalancer' }, { loadBalancer: {} }, false],
  ['an address', 'Ingress', {}, { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } }, true],
  ['bound', 'PersistentVolumeClaim', {}, { phase: 'Bound' }, true],
  ['pending', 'PersistentVolumeClaim', {}, { phase: 'Pending' }, false],
  ['running but not ready', 'Pod', {}, { phase: 'Running' }, false],
  ['running and ready', 'Pod', {}, { phase: 'Running', ...READY }, true],
  ['succeeded', 'Pod', {}, { phase: 'Succeeded' }, true],
  ['budget met', 'PodDisruptionBudget', {}, { currentHealthy: 1, desiredHealthy: 1 }, true],
  ['budget missed', 'PodDisruptionBudget', {}, { currentHealthy: 0, desiredHealthy: 1 }, false],
])('%s: %s %j', (_name, kind, spec, status, healthy) => {
  const object = anObject(kind, spec, { metadata: { generation: 7 }, status });

  expect(interpreterFor(object).interpretHealth?.(object)).toBe(healthy);
});

test('a Job has no health of its own', () => {
  expect(interpreterFor({ apiVersion: 'batch/v1', kind: 'Job' }).interpretHealth).toBeUndefined();
});
