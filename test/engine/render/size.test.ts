import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { findOversize, mayBeLarge } from '../../../lib/engine/render/index.js';
import { planApplication } from '../../../lib/index.js';
import { aCluster, anObject } from '../override/builders.js';

const REF = { apiVersion: 'v1', kind: 'ConfigMap', name: 'big' };
const KIB = 1024;

function found(object: KubeObject, target: 'members' | 'git' = 'members'): readonly string[] {
  return findOversize(object, REF, target).map(({ code, severity, summary }) => {
    expect(code).toBe('OBJECT_TOO_LARGE');
    return `${severity}: ${summary}`;
  });
}

const configMap = (bytes: number): KubeObject => ({
  ...anObject('ConfigMap', {}),
  data: { a: 'x'.repeat(bytes) },
});
const widget = (bytes: number): KubeObject => anObject('Deployment', { text: 'x'.repeat(bytes) });

describe('what every cluster refuses', () => {
  test.each([
    ['an object of 1.6 MiB', widget(1600 * KIB), /takes \d+ bytes; a cluster stores 1572864/],
    [
      'annotations of 257 KiB',
      anObject('Deployment', {}, { metadata: { annotations: { a: 'x'.repeat(257 * KIB) } } }),
      /annotations of ConfigMap big take \d+ bytes of 262144/,
    ],
    ['a ConfigMap with more than 1 MiB', configMap(1025 * KIB), /data of ConfigMap big takes/],
    [
      'text that is longer in bytes than in characters',
      { ...anObject('ConfigMap', {}), data: { a: '€'.repeat(350 * KIB) } },
      /data of ConfigMap big takes 1075201 bytes of 1048576/,
    ],
  ])('%s', (_name, object, expected) => {
    expect(found(object)).toEqual([expect.stringMatching(expected)]);
    expect(found(object)[0]).toMatch(/^error: /);
    expect(mayBeLarge(JSON.stringify(object).length)).toBe(true);
  });
});

test('a large definition is no trouble for us, and for some tools that read a repository', () => {
  const definition = widget(300 * KIB);

  expect(found(definition)).toEqual([]);
  expect(found(definition, 'git')).toEqual([expect.stringMatching(/^warning: .* cannot apply it/)]);
  expect(found(widget(200 * KIB), 'git')).toEqual([]);
});

test('in a plan it is said once per object, and found where only an override makes it so', () => {
  const edit = { path: '/data/a', operator: 'replace', value: 'x'.repeat(1025 * KIB) };
  const override = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'OverridePolicy',
    metadata: { name: 'big', namespace: 'shop' },
    spec: {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
      overrideRules: [
        { targetCluster: { clusterNames: ['m2', 'm3'] }, overriders: { plaintext: [edit] } },
      ],
    },
  };
  const clusters = ['m1', 'm2', 'm3'].map((name) => aCluster(name));
  const policy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'all', namespace: 'shop' },
    spec: {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
      placement: { clusterAffinity: {} },
    },
  };
  const template = { ...configMap(100 * KIB), metadata: { name: 'web', namespace: 'shop' } };
  const documents = [template, policy, override];

  const { diagnostics, applicable } = planApplication({
    documents: documents.map((object) => ({ object: object as unknown as KubeObject })),
    fleet: { clusters: clusters.map(serving) },
    now: '2026-01-01T00:00:00Z',
    options: { application: 'shop', profile: 'default', target: 'members' },
  });

  expect(diagnostics.filter(({ code }) => code === 'OBJECT_TOO_LARGE')).toHaveLength(1);
  expect(applicable).toBe(false);
});

function serving(cluster: ReturnType<typeof aCluster>): ReturnType<typeof aCluster> {
  const apiEnablements = [
    { groupVersion: 'v1', resources: [{ kind: 'ConfigMap', name: 'configmaps' }] },
  ];
  const conditions = [
    {
      type: 'Ready',
      status: 'True',
      reason: '',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ];
  return {
    ...cluster,
    status: { ...cluster.status, apiEnablements, conditions },
  } as typeof cluster;
}
