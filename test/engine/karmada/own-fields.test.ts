import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { ownFields } from '../../../lib/engine/karmada/index.js';

const live = (fieldsV1: object, manager = 'fleetwright'): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: 'u',
      labels: { app: 'web', 'propagationpolicy.karmada.io/permanent-id': 'id' },
      finalizers: ['a', 'b'],
      managedFields: [{ manager, operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1 }],
    },
    spec: {
      replicas: 3,
      revisionHistoryLimit: 10,
      template: {
        spec: {
          containers: [
            { name: 'web', image: 'web:1', imagePullPolicy: 'Always' },
            { name: 'injected', image: 'sidecar' },
          ],
        },
      },
    },
    status: { replicas: 3 },
  }) as unknown as KubeObject;

test('what we applied, and nothing that a default, Karmada or a webhook added', () => {
  const fields = {
    'f:metadata': { 'f:labels': { 'f:app': {} }, 'f:finalizers': { 'v:"b"': {} } },
    'f:spec': {
      'f:replicas': {},
      'f:template': {
        'f:spec': {
          'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:name': {}, 'f:image': {} } },
        },
      },
    },
  };

  expect(ownFields(live(fields))).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' }, finalizers: ['b'] },
    spec: { replicas: 3, template: { spec: { containers: [{ name: 'web', image: 'web:1' }] } } },
  });
});

test('a leaf owns what is below as a whole', () => {
  expect(ownFields(live({ 'f:spec': { 'f:template': {} } }))).toMatchObject({
    spec: { template: { spec: { containers: [{ name: 'web' }, { name: 'injected' }] } } },
  });
});

test('somebody else’s object is not ours', () => {
  expect(ownFields(live({ 'f:spec': {} }, 'kubectl'))).toBeUndefined();
});
