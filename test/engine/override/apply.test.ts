import { describe, expect, test } from '@jest/globals';
import type { ImageOverrider, Overriders } from '../../../lib/api/overriders.js';
import { applyOverrides } from '../../../lib/engine/override/index.js';
import type { KubeObject } from './builders.js';
import {
  aClusterPolicy,
  anObject,
  aPolicy,
  aWorkload,
  deepFreeze,
  label,
  M1,
  TOOLS,
} from './builders.js';

function override(object: KubeObject, overriders: Overriders): unknown {
  const outcome = applyOverrides(
    object,
    M1,
    { overridePolicies: [deepFreeze(aPolicy('p', overriders))] },
    TOOLS,
  );
  return outcome.ok ? outcome.object : outcome.fault;
}

function web(...containers: object[]): KubeObject {
  return aWorkload('Deployment', { containers });
}

const HEX = 'ab'.repeat(32);

describe('imageOverrider', () => {
  test.each<[image: string, edit: Omit<ImageOverrider, 'predicate'>, result: string]>([
    [
      'nginx:1.25',
      { component: 'Registry', operator: 'replace', value: 'r.acme.io' },
      'r.acme.io/nginx:1.25',
    ],
    [
      'quay.io/acme/web:v2',
      { component: 'Registry', operator: 'add', value: '.cn' },
      'quay.io.cn/acme/web:v2',
    ],
    ['quay.io/acme/web:v2', { component: 'Registry', operator: 'remove' }, 'acme/web:v2'],
    ['quay.io/acme/web:v2', { component: 'Repository', operator: 'remove' }, 'quay.io/:v2'],
    ['acme/web:v1', { component: 'Tag', operator: 'add', value: '-arm' }, 'acme/web:v1-arm'],
    [
      'acme/web:v1',
      { component: 'Tag', operator: 'replace', value: `sha256:${HEX}` },
      `acme/web@sha256:${HEX}`,
    ],
    [
      `acme/web@sha256:${HEX}`,
      { component: 'Tag', operator: 'add', value: '-arm' },
      `acme/web@sha256:${HEX}`,
    ],
    [`acme/web@sha256:${HEX}`, { component: 'Tag', operator: 'remove' }, 'acme/web'],
    [
      `acme.io/web:v1@sha256:${HEX}`,
      { component: 'Repository', operator: 'replace', value: 'site' },
      'acme.io/site:v1',
    ],
  ])('%s %j', (image, edit, result) => {
    expect(override(web({ image }), { imageOverrider: [edit] })).toHaveProperty(
      'spec.template.spec.containers',
      [{ image: result }],
    );
  });

  test('changes all regular containers and no init container', () => {
    const object = aWorkload('Job', {
      containers: [{ image: 'a' }, { image: 'b' }],
      initContainers: [{ image: 'c' }],
    });
    const edited = override(object, {
      imageOverrider: [{ component: 'Tag', operator: 'add', value: 'v1' }],
    });

    expect(edited).toHaveProperty('spec.template.spec', {
      containers: [{ image: 'a:v1' }, { image: 'b:v1' }],
      initContainers: [{ image: 'c' }],
    });
  });

  test('a predicate names one text of any kind', () => {
    const object = anObject('Widget', { image: 'a' });
    const edit: ImageOverrider = {
      component: 'Tag',
      operator: 'add',
      value: 'v1',
      predicate: { path: '/spec/image' },
    };

    expect(override(object, { imageOverrider: [edit] })).toHaveProperty('spec.image', 'a:v1');
    expect(override(anObject('Widget', {}), { imageOverrider: [edit] })).toMatchObject({
      kind: 'missing',
      path: '/spec/image',
    });
  });

  test('an image that cannot be read fails, with its place', () => {
    const edit: ImageOverrider = { component: 'Tag', operator: 'remove' };

    expect(override(web({ image: 'NO' }), { imageOverrider: [edit] })).toMatchObject({
      kind: 'syntax',
      path: '/spec/template/spec/containers/0/image',
    });
  });
});

describe('commandOverrider and argsOverrider', () => {
  test.each<[name: string, container: object, overriders: Overriders, result: object]>([
    [
      'remove takes out equal items',
      { name: 'c', args: ['--a', '--b'] },
      { argsOverrider: [{ containerName: 'c', operator: 'remove', value: ['--b', '--x'] }] },
      { args: ['--a'] },
    ],
    [
      'add appends, twice if need be',
      { name: 'c', args: ['--a', '--b'] },
      { argsOverrider: [{ containerName: 'c', operator: 'add', value: ['--a'] }] },
      { args: ['--a', '--b', '--a'] },
    ],
    [
      'remove makes an empty list of none',
      { name: 'c' },
      { commandOverrider: [{ containerName: 'c', operator: 'remove', value: ['x'] }] },
      { command: [] },
    ],
    [
      'another container is left alone',
      { name: 'c', command: ['x'] },
      { commandOverrider: [{ containerName: 'd', operator: 'remove', value: ['x'] }] },
      { command: ['x'] },
    ],
  ])('%s', (_name, container, overriders, result) => {
    expect(override(web(container), overriders)).toHaveProperty('spec.template.spec.containers', [
      { name: 'c', ...result },
    ]);
  });
});

describe('labelsOverrider', () => {
  const labelled = anObject('ConfigMap', {}, { metadata: { labels: { a: '1' } } });

  test('replace touches only what is there, add sets, remove does not mind', () => {
    const edits: Overriders = {
      labelsOverrider: [
        { operator: 'replace', value: { a: '2', b: '3' } },
        { operator: 'add', value: { 'x/y': '4' } },
        { operator: 'remove', value: { z: '' } },
      ],
    };

    expect(override(labelled, edits)).toHaveProperty('metadata.labels', { a: '2', 'x/y': '4' });
  });

  test('add makes the map', () => {
    expect(override(anObject('ConfigMap', {}), label('me'))).toHaveProperty('metadata.labels', {
      by: 'me',
    });
  });
});

describe('fieldOverrider', () => {
  const config = anObject(
    'ConfigMap',
    {},
    { data: { 'cfg.yaml': 'z: 1\na: 2\n', 'cfg.json': '{"b": [1], "a": 1}', bad: '{' } },
  );

  test('YAML is written anew with sorted keys', () => {
    const edit: Overriders = {
      fieldOverrider: [
        { fieldPath: '/data/cfg.yaml', yaml: [{ subPath: '/z', operator: 'replace', value: 9 }] },
      ],
    };

    expect(override(config, edit)).toHaveProperty(['data', 'cfg.yaml'], 'a: 2\nz: 9\n');
  });

  test('JSON is written compactly', () => {
    const edit: Overriders = {
      fieldOverrider: [
        { fieldPath: '/data/cfg.json', json: [{ subPath: '/b/-', operator: 'add', value: 2 }] },
      ],
    };

    expect(override(config, edit)).toHaveProperty(['data', 'cfg.json'], '{"b":[1,2],"a":1}');
  });

  test.each([
    ['/data/none', 'missing'],
    ['/data', 'type'],
    ['data/cfg.json', 'syntax'],
    ['/data/bad', 'syntax'],
  ])('%s fails: %s', (fieldPath, kind) => {
    const edit: Overriders = {
      fieldOverrider: [{ fieldPath, json: [{ subPath: '/x', operator: 'add', value: 1 }] }],
    };

    expect(override(config, edit)).toMatchObject({ kind });
  });

  test('a fault inside names both paths and no content', () => {
    const secret = anObject('Secret', {}, { stringData: { c: 'password: hunter2' } });
    const edit: Overriders = {
      fieldOverrider: [
        { fieldPath: '/stringData/c', yaml: [{ subPath: '/none', operator: 'remove' }] },
      ],
    };
    const fault = override(secret, edit);

    expect(fault).toMatchObject({ kind: 'missing', path: '/stringData/c /none' });
    expect(JSON.stringify(fault)).not.toContain('hunter2');
  });
});

test('edits of a rule run in a fixed order: plaintext has the last word', () => {
  const overriders: Overriders = {
    plaintext: [{ path: '/metadata/labels/by', operator: 'replace', value: 'plaintext' }],
    ...label('labels'),
  };

  expect(override(anObject('ConfigMap', {}), overriders)).toHaveProperty(
    'metadata.labels.by',
    'plaintext',
  );
});

test('an edit that cannot be made fails the whole object', () => {
  const overriders: Overriders = {
    ...label('x'),
    plaintext: [
      { path: '/spec/paused', operator: 'add', value: true },
      { path: '/spec/missing', operator: 'replace', value: 1 },
    ],
  };

  expect(override(anObject('Deployment', {}), overriders)).toMatchObject({
    kind: 'missing',
    path: '/spec/missing',
    rule: { policy: { name: 'p' }, position: 0 },
  });
});

describe('selection and order', () => {
  const object = anObject('ConfigMap', {}, { metadata: { labels: { app: 'web' } } });
  const byName = { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'web' }] };
  const byLabel = {
    resourceSelectors: [
      { apiVersion: 'v1', kind: 'ConfigMap', labelSelector: { matchLabels: { app: 'web' } } },
    ],
  };

  function winner(policies: Parameters<typeof applyOverrides>[2], cluster = M1): unknown {
    const outcome = applyOverrides(object, cluster, policies, TOOLS);
    return outcome.ok ? outcome.object.metadata.labels?.['by'] : outcome.fault;
  }

  test('the more precise policy wins, whatever the names and the order in the list', () => {
    const policies = [
      aPolicy('a', label('name'), byName),
      aPolicy('z', label('all')),
      aPolicy('b', label('label'), byLabel),
    ];

    expect(winner({ overridePolicies: policies })).toBe('name');
    expect(winner({ overridePolicies: policies.toReversed() })).toBe('name');
  });

  test('equally precise: the later name wins', () => {
    expect(winner({ overridePolicies: [aPolicy('b', label('b')), aPolicy('a', label('a'))] })).toBe(
      'b',
    );
  });

  test('OverridePolicies come after ClusterOverridePolicies', () => {
    const clusterOverridePolicies = [aClusterPolicy('z', label('cluster'), byName)];

    expect(
      winner({ clusterOverridePolicies, overridePolicies: [aPolicy('a', label('namespace'))] }),
    ).toBe('namespace');
  });

  test('an OverridePolicy is matched against what the cluster group left', () => {
    const relabel: Overriders = {
      labelsOverrider: [{ operator: 'replace', value: { app: 'other' } }],
    };

    expect(
      winner({
        clusterOverridePolicies: [aClusterPolicy('c', relabel)],
        overridePolicies: [aPolicy('a', label('a'), byLabel)],
      }),
    ).toBeUndefined();
  });

  test('an OverridePolicy of another namespace does nothing', () => {
    const foreign = { ...aPolicy('a', label('a')), metadata: { namespace: 'other', name: 'a' } };

    expect(winner({ overridePolicies: [foreign] })).toBeUndefined();
  });

  test('without rules the deprecated fields act as one', () => {
    const deprecated = aPolicy(
      'a',
      {},
      { overrideRules: [], overriders: label('old'), targetCluster: { clusterNames: ['m1'] } },
    );

    expect(winner({ overridePolicies: [deprecated] })).toBe('old');
  });

  test.each([
    [{ clusterNames: ['m1', 'm2'], exclude: ['m1'] }, undefined],
    [{ clusterNames: ['m1'] }, 'x'],
    [{}, 'x'],
    [
      { fieldSelector: { matchExpressions: [{ key: 'zone', operator: 'In', values: ['z1'] }] } },
      'x',
    ],
    [
      { fieldSelector: { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['z1'] }] } },
      undefined,
    ],
  ])('a rule for %j', (targetCluster, by) => {
    const policy = aPolicy('a', {}, { overrideRules: [{ overriders: label('x'), targetCluster }] });

    expect(winner({ overridePolicies: [policy] })).toBe(by);
  });

  test('what was applied is recorded per rule, by name', () => {
    const policies = [aPolicy('z', label('z')), aPolicy('a', label('a'), byName)];
    const outcome = applyOverrides(object, M1, { overridePolicies: policies }, TOOLS);

    expect(outcome).toMatchObject({
      appliedClusterOverrides: [],
      appliedOverrides: [{ policyName: 'a' }, { policyName: 'z' }],
    });
  });
});
