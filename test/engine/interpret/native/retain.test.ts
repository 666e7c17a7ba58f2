import { expect, test } from '@jest/globals';
import { interpreterFor } from '../../../../lib/engine/interpret/index.js';
import { anObject, aWorkload, deepFreeze } from '../builders.js';

function retain(
  desired: ReturnType<typeof anObject>,
  observed: ReturnType<typeof anObject>,
): unknown {
  return interpreterFor(desired).retain?.(desired, observed);
}

test.each([
  ['true', 7],
  ['yes', 3],
])('a Deployment labelled retain-replicas %j gets %i replicas', (value, replicas) => {
  const labels = { 'resourcetemplate.karmada.io/retain-replicas': value };
  const desired = anObject('Deployment', { replicas: 3 }, { metadata: { labels } });

  expect(retain(desired, anObject('Deployment', { replicas: 7 }))).toHaveProperty(
    'spec.replicas',
    replicas,
  );
});

test('replicas cannot be retained from an object that has none', () => {
  const labels = { 'resourcetemplate.karmada.io/retain-replicas': 'true' };
  const desired = anObject('Deployment', { replicas: 3 }, { metadata: { labels } });

  expect(() => retain(desired, anObject('Deployment', {}))).toThrow('no spec.replicas to retain');
});

test('a Service keeps its address and health check port, not its node ports', () => {
  const desired = anObject('Service', { ports: [{ port: 80 }] });
  const observed = anObject('Service', {
    clusterIP: '10.0.0.7',
    healthCheckNodePort: 0,
    ports: [{ port: 80, nodePort: 30001 }],
  });

  expect(retain(desired, observed)).toHaveProperty('spec', {
    ports: [{ port: 80 }],
    clusterIP: '10.0.0.7',
  });
});

test('a ServiceAccount keeps the token that the cluster added', () => {
  const desired = deepFreeze({ ...anObject('ServiceAccount', {}), secrets: [{ name: 'a' }] });
  const observed = deepFreeze({
    ...anObject('ServiceAccount', {}),
    secrets: [{ name: 'a' }, { name: 'token-9' }],
  });

  expect(retain(desired, observed)).toMatchObject({
    secrets: [{ name: 'a' }, { name: 'token-9' }],
    imagePullSecrets: [],
  });
});

test('a Pod keeps node, account, volumes and the mounts of containers of the same name', () => {
  const desired = anObject('Pod', {
    containers: [
      { name: 'a', image: 'new' },
      { name: 'b', volumeMounts: [{ name: 'own' }] },
    ],
  });
  const observed = anObject('Pod', {
    nodeName: 'n1',
    serviceAccountName: 'default',
    volumes: [{ name: 'token' }],
    containers: [{ name: 'a', image: 'old', volumeMounts: [{ name: 'token' }] }],
  });

  expect(retain(desired, observed)).toHaveProperty('spec', {
    nodeName: 'n1',
    serviceAccountName: 'default',
    volumes: [{ name: 'token' }],
    containers: [
      { name: 'a', image: 'new', volumeMounts: [{ name: 'token' }] },
      { name: 'b', volumeMounts: [{ name: 'own' }] },
    ],
  });
});

test('a Job keeps the selector and labels that its controller made', () => {
  const desired = aWorkload('Job', {});
  const labels = { 'controller-uid': 'u' };
  const observed = anObject('Job', {
    selector: { matchLabels: labels },
    template: { metadata: { labels } },
  });

  expect(retain(desired, observed)).toMatchObject({
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
  });
});

test('a token Secret keeps its data, others do not', () => {
  const observed = { ...anObject('Secret', {}), data: { token: 'dA==' } };
  const token = { ...anObject('Secret', {}), type: 'kubernetes.io/service-account-token' };
  const opaque = { ...anObject('Secret', {}), type: 'Opaque' };

  expect(retain(token, observed)).toHaveProperty('data', { token: 'dA==' });
  expect(retain(opaque, observed)).not.toHaveProperty('data');
});

test('volumes keep their bindings', () => {
  const claim = retain(
    anObject('PersistentVolumeClaim', {}),
    anObject('PersistentVolumeClaim', { volumeName: 'pv1' }),
  );
  const volume = retain(
    anObject('PersistentVolume', {}),
    anObject('PersistentVolume', { claimRef: { name: 'c' } }),
  );

  expect(claim).toHaveProperty('spec.volumeName', 'pv1');
  expect(volume).toHaveProperty('spec.claimRef', { name: 'c' });
});
