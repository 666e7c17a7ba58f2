import { expect, test } from '@jest/globals';
import { prune } from '../../../lib/engine/render/index.js';
import { anObject, deepFreeze } from '../override/builders.js';

test('server metadata and status go, everything else stays', () => {
  const object = anObject(
    'ConfigMap',
    {},
    {
      metadata: {
        uid: 'u',
        resourceVersion: '1',
        generation: 1,
        creationTimestamp: 't',
        selfLink: '/x',
        managedFields: [],
        ownerReferences: [],
        finalizers: ['f'],
        deletionTimestamp: 't',
        deletionGracePeriodSeconds: 1,
        generateName: 'w-',
      },
      status: {},
    },
  );

  expect(prune(object)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'shop', name: 'web', generateName: 'w-' },
    spec: {},
  });
});

test.each([
  ['10.0.0.1', {}],
  ['None', { clusterIP: 'None' }],
])('a Service with clusterIP %s', (clusterIP, spec) => {
  expect(prune(anObject('Service', { clusterIP }))['spec']).toEqual(spec);
});

test('a Job loses generated labels unless it selects by hand, and its time to live always', () => {
  const labels = { 'controller-uid': 'u', 'job-name': 'j', app: 'web' };
  const spec = {
    ttlSecondsAfterFinished: 5,
    selector: { matchLabels: labels },
    template: { metadata: { labels } },
  };

  expect(prune(anObject('Job', spec))['spec']).toEqual({
    selector: { matchLabels: { 'job-name': 'j', app: 'web' } },
    template: { metadata: { labels: { app: 'web' } } },
  });
  expect(prune(anObject('Job', { ...spec, manualSelector: true }))['spec']).toEqual({
    manualSelector: true,
    selector: { matchLabels: labels },
    template: { metadata: { labels } },
  });
});

test('of two adjacent tokens of a ServiceAccount the second stays, as in Karmada', () => {
  const secrets = [{ name: 'web-token-1' }, { name: 'web-token-2' }, { name: 'own' }];

  expect(prune(deepFreeze({ ...anObject('ServiceAccount', {}), secrets }))['secrets']).toEqual([
    { name: 'web-token-2' },
    { name: 'own' },
  ]);
});

test('kinds are told by name alone: a Volcano Job loses its time to live too', () => {
  const volcano = {
    ...anObject('Job', { ttlSecondsAfterFinished: 5 }),
    apiVersion: 'batch.volcano.sh/v1alpha1',
  };

  expect(prune(volcano)['spec']).toEqual({});
});

test('revision annotations of a Deployment and the node of a claim go', () => {
  const annotations = {
    'deployment.kubernetes.io/revision': '3',
    'volume.kubernetes.io/selected-node': 'n',
    own: 'x',
  };

  expect(
    prune(anObject('Deployment', {}, { metadata: { annotations } })).metadata.annotations,
  ).toEqual({
    own: 'x',
    'volume.kubernetes.io/selected-node': 'n',
  });
  expect(
    prune(anObject('PersistentVolumeClaim', {}, { metadata: { annotations } })).metadata
      .annotations,
  ).toEqual({
    own: 'x',
    'deployment.kubernetes.io/revision': '3',
  });
});

test('a token Secret loses the token', () => {
  const secret = {
    ...anObject('Secret', {}),
    type: 'kubernetes.io/service-account-token',
    data: { token: 'dA==' },
  };

  expect(prune(secret)).not.toHaveProperty('data');
});
