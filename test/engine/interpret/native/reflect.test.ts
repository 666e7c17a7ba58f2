import { expect, test } from '@jest/globals';
import { interpreterFor } from '../../../../lib/engine/interpret/index.js';
import { anObject } from '../builders.js';

const CARRIED = { generation: 3, annotations: { 'resourcetemplate.karmada.io/generation': '9' } };
const SEEN = { generation: 3, resourceTemplateGeneration: 9 };

test.each<[kind: string, spec: object, status: object, reported: object | undefined]>([
  [
    'Deployment',
    {},
    { replicas: 2, observedGeneration: 3, conditions: [] },
    { replicas: 2, observedGeneration: 3, ...SEEN },
  ],
  ['ReplicaSet', {}, { replicas: 0 }, { replicas: 0, ...SEEN }],
  [
    'StatefulSet',
    {},
    { replicas: 1, observedGeneration: 3 },
    { replicas: 1, availableReplicas: 0, ...SEEN },
  ],
  ['Job', {}, { active: 1, ready: 1, startTime: 't' }, { active: 1, startTime: 't' }],
  ['Service', { type: 'ClusterIP' }, { loadBalancer: {} }, undefined],
  [
    'Service',
    { type: 'LoadBalancer' },
    { loadBalancer: { ingress: [] }, conditions: [] },
    { loadBalancer: { ingress: [] } },
  ],
  [
    'HorizontalPodAutoscaler',
    {},
    { currentReplicas: 2, desiredReplicas: 3, conditions: [] },
    { currentReplicas: 2, desiredReplicas: 3 },
  ],
  ['ConfigMap', {}, { any: 'thing' }, { any: 'thing' }],
])('%s %j with status %j', (kind, spec, status, reported) => {
  const object = anObject(kind, spec, { metadata: CARRIED, status });

  expect(interpreterFor(object).interpretStatus?.(object)).toEqual(reported);
});

test.each([undefined, '', 'abc', '1.5', '99999999999999999999'])(
  'a template generation %j cannot be reported',
  (text) => {
    const annotations =
      text === undefined ? {} : { 'resourcetemplate.karmada.io/generation': text };
    const object = anObject(
      'Deployment',
      {},
      { metadata: { annotations }, status: { replicas: 1 } },
    );

    expect(() => interpreterFor(object).interpretStatus?.(object)).toThrow(
      'resourcetemplate.karmada.io/generation',
    );
  },
);

test('without a status there is nothing to report, whatever the annotation', () => {
  const object = anObject('Deployment', {});

  expect(interpreterFor(object).interpretStatus?.(object)).toBeUndefined();
});
