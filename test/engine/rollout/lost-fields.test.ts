import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/engine/object.js';
import { lostFields } from '../../../lib/engine/rollout/lost-fields.js';

const desired: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: { replicas: 2, template: { spec: { containers: [{ name: 'web', image: 'nginx:1' }] } } },
};

const container = (fields: object): object => ({
  'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': fields } } } },
});

function liveWith(...managedFields: object[]): KubeObject {
  return { ...desired, metadata: { ...desired.metadata, managedFields } };
}

describe('fields that another manager took', () => {
  test('an image taken by force is lost, though its value is as planned', () => {
    const live = liveWith(
      {
        manager: 'fleetwright',
        operation: 'Apply',
        fieldsV1: container({ '.': {}, 'f:name': {} }),
      },
      {
        manager: 'somebody',
        operation: 'Apply',
        fieldsV1: container({ '.': {}, 'f:name': {}, 'f:image': {} }),
      },
    );

    expect(lostFields(desired, live)).toEqual([
      '.spec.template.spec.containers[{"name":"web"}].image',
    ]);
  });

  test('a shared field is not lost, nor one that we do not want', () => {
    const live = liveWith(
      { manager: 'fleetwright', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      {
        manager: 'hpa',
        operation: 'Update',
        fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } },
      },
    );

    expect(lostFields(desired, live)).toEqual([]);
  });

  test('writers of subresources and our own hand-over take nothing', () => {
    const replicas = { 'f:spec': { 'f:replicas': {} } };
    const live = liveWith(
      { manager: 'kcm', operation: 'Update', subresource: 'scale', fieldsV1: replicas },
      { manager: 'fleetwright-handover', operation: 'Apply', fieldsV1: replicas },
    );

    expect(lostFields(desired, live)).toEqual([]);
  });
});
