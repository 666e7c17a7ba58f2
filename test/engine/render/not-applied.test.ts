import { expect, test } from '@jest/globals';
import { fieldsNotToApply, withoutFields } from '../../../lib/engine/render/index.js';
import { anObject } from '../override/builders.js';

const RETAINED = {
  metadata: { labels: { 'resourcetemplate.karmada.io/retain-replicas': 'true' } },
};

test('a new object is applied whole', () => {
  expect(fieldsNotToApply(anObject('Deployment', { replicas: 3 }, RETAINED), undefined)).toEqual(
    [],
  );
});

test('replicas that an autoscaler owns are left out, others are not', () => {
  const live = anObject('Deployment', { replicas: 7 });
  const desired = anObject('Deployment', { replicas: 3, paused: false }, RETAINED);
  const paths = fieldsNotToApply(desired, live);

  expect(paths).toEqual([['spec', 'replicas']]);
  expect(withoutFields(desired, paths)['spec']).toEqual({ paused: false });
  expect(fieldsNotToApply(anObject('Deployment', { replicas: 3 }), live)).toEqual([]);
});

test('an allocated port is left to the API server, one not yet allocated is applied', () => {
  const desired = anObject('Service', { healthCheckNodePort: 30000 });

  expect(fieldsNotToApply(desired, anObject('Service', { healthCheckNodePort: 31000 }))).toEqual([
    ['spec', 'healthCheckNodePort'],
  ]);
  expect(fieldsNotToApply(desired, anObject('Service', { healthCheckNodePort: 0 }))).toEqual([]);
});

test('a field that the manifest does not have is not listed', () => {
  expect(
    fieldsNotToApply(
      anObject('PersistentVolumeClaim', {}),
      anObject('PersistentVolumeClaim', { volumeName: 'v' }),
    ),
  ).toEqual([]);
});
