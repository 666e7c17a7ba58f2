import { expect, test } from '@jest/globals';
import { interpreterFor } from '../../../../lib/engine/interpret/index.js';
import type { KubeObject } from '../builders.js';
import { anObject, aWorkload } from '../builders.js';

function references(object: KubeObject): readonly string[] {
  const found = interpreterFor(object).interpretDependency?.(object) ?? [];
  return found.map(({ kind, namespace, name }) => `${kind} ${namespace ?? ''}/${name ?? '?'}`);
}

test('a pod refers to ConfigMaps, Secrets and claims, each once, sorted', () => {
  const deployment = aWorkload('Deployment', {
    serviceAccountName: 'default',
    imagePullSecrets: [{ name: 'pull' }, { name: '' }],
    initContainers: [{ envFrom: [{ configMapRef: { name: 'env', optional: true } }] }],
    containers: [
      {
        env: [
          { valueFrom: { secretKeyRef: { name: 'key' } } },
          { valueFrom: { configMapKeyRef: { name: 'env' } } },
        ],
      },
    ],
    ephemeralContainers: [{ envFrom: [{ secretRef: { name: 'debug' } }] }],
    volumes: [
      { persistentVolumeClaim: { claimName: 'data' } },
      { projected: { sources: [{ configMap: { name: 'a' } }, { secret: { name: 'b' } }] } },
      { csi: { nodePublishSecretRef: { name: 'csi' } } },
    ],
  });

  expect(references(deployment)).toEqual([
    'ConfigMap shop/a',
    'ConfigMap shop/env',
    'PersistentVolumeClaim shop/data',
    'Secret shop/b',
    'Secret shop/csi',
    'Secret shop/debug',
    'Secret shop/key',
    'Secret shop/pull',
  ]);
});

test('a service account other than default counts', () => {
  expect(references(aWorkload('Job', { serviceAccountName: 'runner' }))).toEqual([
    'ServiceAccount shop/runner',
  ]);
});

test('a StatefulSet does not depend on the claims it makes', () => {
  const volumes = [
    { persistentVolumeClaim: { claimName: 'data' } },
    { persistentVolumeClaim: { claimName: 'shared' } },
  ];
  const set = aWorkload(
    'StatefulSet',
    { volumes },
    { volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
  );

  expect(references(set)).toEqual(['PersistentVolumeClaim shop/shared']);
});

test('a CronJob is read through its job template', () => {
  const spec = {
    jobTemplate: { spec: { template: { spec: { volumes: [{ secret: { secretName: 's' } }] } } } },
  };

  expect(references(anObject('CronJob', spec))).toEqual(['Secret shop/s']);
});

test('an Ingress refers to its certificates, and one without a name spoils the answer', () => {
  expect(
    references(anObject('Ingress', { tls: [{ secretName: 'b' }, { secretName: 'a' }] })),
  ).toEqual(['Secret shop/a', 'Secret shop/b']);
  expect(() => references(anObject('Ingress', { tls: [{}] }))).toThrow('without secretName');
});

test('a ServiceImport refers to the derived Service and its endpoints', () => {
  const serviceImport = {
    ...anObject('ServiceImport', {}),
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  };

  expect(references(serviceImport)).toEqual(['EndpointSlice shop/?', 'Service shop/derived-web']);
});
