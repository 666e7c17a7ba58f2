import { describe, expect, test } from '@jest/globals';
import type { Overriders } from '../../../lib/api/overriders.js';
import type { OverrideSpec } from '../../../lib/api/override-policy.js';
import type { Diagnostic } from '../../../lib/engine/diagnostic.js';
import { refOf } from '../../../lib/engine/object.js';
import type { OverrideUses } from '../../../lib/engine/override/index.js';
import {
  compileOverrides,
  findOverrideEffects,
  noteUse,
} from '../../../lib/engine/override/index.js';
import type { KubeObject } from './builders.js';
import { aCluster, anObject, aPolicy, aWorkload, label, M1, TOOLS } from './builders.js';

const CLUSTERS = [M1, aCluster('m2')];

function effects(
  policies: readonly ReturnType<typeof aPolicy>[],
  objects: readonly KubeObject[],
  profile: 'default' | 'karmada' = 'default',
): readonly Diagnostic[] {
  const uses: OverrideUses = new Map();
  const compiled = compileOverrides({ overridePolicies: policies }, TOOLS);
  for (const object of objects) {
    for (const cluster of CLUSTERS) {
      noteUse(uses, refOf(object), object, compiled(object)(cluster), cluster.metadata.name ?? '');
    }
  }
  return findOverrideEffects(uses, TOOLS, profile);
}

function set(path: string, value: unknown): Overriders {
  return { plaintext: [{ path, operator: 'add', value }] };
}

const onM1: Partial<OverrideSpec> = {
  overrideRules: [{ targetCluster: { clusterNames: ['m1'] }, overriders: label('b') }],
};
const config = anObject('ConfigMap', {}, { data: { level: 'info' } });

describe('OVERRIDE_UNDONE', () => {
  test('a rule of which nothing is left names the one that takes it back', () => {
    const findings = effects(
      [aPolicy('a', set('/data/level', 'debug')), aPolicy('b', set('/data/level', 'warn'))],
      [config],
    );

    expect(findings).toMatchObject([
      {
        code: 'OVERRIDE_UNDONE',
        severity: 'warning',
        summary:
          'Nothing is left of OverridePolicy shop/a (rule 1): OverridePolicy shop/b (rule 1) changes /data/level of ConfigMap shop/web after it.',
        resource: { kind: 'OverridePolicy', name: 'a' },
        path: ['spec', 'overrideRules', 0],
      },
    ]);
  });

  test('a rule that puts the old value back undoes too', () => {
    const findings = effects(
      [aPolicy('a', set('/data/level', 'debug')), aPolicy('b', set('/data/level', 'info'))],
      [config],
    );

    expect(findings.map(({ code }) => code)).toEqual(['OVERRIDE_UNDONE']);
  });

  test('a general rule that stands on another cluster is as intended', () => {
    expect(effects([aPolicy('a', label('a')), aPolicy('b', {}, onM1)], [config])).toEqual([]);
  });

  test('a general rule that stands on another object is as intended', () => {
    const precise = aPolicy('b', label('b'), {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'web' }],
    });
    const other = anObject('ConfigMap', {}, { metadata: { name: 'other' } });

    expect(effects([aPolicy('a', label('a')), precise], [config, other])).toEqual([]);
    expect(effects([aPolicy('a', label('a')), precise], [config])).toHaveLength(1);
  });

  test('two parts of one image are both kept', () => {
    const web = aWorkload('Deployment', { containers: [{ name: 'web', image: 'web:1' }] });
    const part = (component: 'Registry' | 'Tag', value: string): Overriders => ({
      imageOverrider: [{ component, operator: 'replace', value }],
    });

    expect(
      effects([aPolicy('a', part('Registry', 'cn')), aPolicy('b', part('Tag', '2'))], [web]),
    ).toEqual([]);
  });

  test('a rule that had nothing to edit, and one that says the same again, are not undone', () => {
    const idle: Overriders = { labelsOverrider: [{ operator: 'remove', value: { none: '' } }] };

    expect(effects([aPolicy('a', idle), aPolicy('b', label('b'))], [config])).toEqual([]);
    expect(effects([aPolicy('a', label('x')), aPolicy('b', label('x'))], [config])).toEqual([]);
  });
});

describe('OVERRIDE_VALUE_INVALID', () => {
  const web = aWorkload(
    'Deployment',
    { containers: [{ name: 'web', image: 'web:1', resources: { limits: { cpu: '1' } } }] },
    { replicas: 1 },
  );
  const container = '/spec/template/spec/containers/0';

  test.each([
    ['replicas as text', '/spec/replicas', 'three', 'a whole number, 0 or more'],
    ['replicas below zero', '/spec/replicas', -1, 'a whole number, 0 or more'],
    ['an image that is no text', `${container}/image`, 5, 'a text that is not empty'],
    ['an empty image', `${container}/image`, '', 'a text that is not empty'],
    ['a number in the environment', `${container}/env`, [{ name: 'A', value: 1 }], 'a text'],
    ['no quantity', `${container}/resources/limits/cpu`, 'lots', 'a quantity such as 500m or 1Gi'],
    ['a label that is a number', '/metadata/labels', { version: 1 }, 'a text'],
    ['labels that are a list', '/metadata/labels', ['a'], 'a map'],
  ])('%s', (_, path, value, expected) => {
    expect(effects([aPolicy('a', set(path, value))], [web])).toMatchObject([
      {
        code: 'OVERRIDE_VALUE_INVALID',
        severity: 'error',
        summary: expect.stringContaining(`must be ${expected}.`),
        resource: { name: 'a' },
      },
    ]);
  });

  test('the finding names the rule that set the value, the object and the clusters', () => {
    const findings = effects(
      [aPolicy('a', label('x')), aPolicy('b', set('/spec/replicas', 'three'))],
      [web],
      'karmada',
    );

    expect(findings).toMatchObject([
      {
        severity: 'warning',
        summary:
          'OverridePolicy shop/b (rule 1) sets /spec/replicas of Deployment shop/web for m1, m2 to "three", but it must be a whole number, 0 or more.',
      },
    ]);
  });

  test('what the template has wrong already is not the override’s fault', () => {
    const broken = aWorkload('Deployment', { containers: [] }, { replicas: 'three' });

    expect(effects([aPolicy('a', label('x'))], [broken])).toEqual([]);
  });

  test('a value that a later rule corrects is fine', () => {
    const policies = [
      aPolicy('a', {
        plaintext: [
          { path: '/spec/replicas', operator: 'add', value: 'three' },
          { path: '/spec/paused', operator: 'add', value: true },
        ],
      }),
      aPolicy('b', set('/spec/replicas', 3)),
    ];

    expect(effects(policies, [web])).toEqual([]);
  });

  test('a value of a Secret is not shown', () => {
    const secret = anObject('Secret', {}, { data: { pin: 'MTIzNA==' } });
    const [finding] = effects([aPolicy('a', set('/data/pin', 12345))], [secret]);

    expect(finding?.code).toBe('OVERRIDE_VALUE_INVALID');
    expect(finding?.summary).not.toContain('12345');
  });

  test('kinds that nobody knows are left alone', () => {
    const custom = anObject('Widget', { replicas: 1 }, { apiVersion: 'example.com/v1' });

    expect(effects([aPolicy('a', set('/spec/replicas', 'many'))], [custom])).toEqual([]);
  });
});
