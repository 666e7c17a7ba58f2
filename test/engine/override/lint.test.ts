import { expect, test } from '@jest/globals';
import type { OverridePolicy, OverrideSpec } from '../../../lib/api/override-policy.js';
import type { Overriders } from '../../../lib/api/overriders.js';
import type { Diagnostic } from '../../../lib/engine/diagnostic.js';
import { lintOverrides } from '../../../lib/engine/override/index.js';
import type { KubeObject } from './builders.js';
import { anObject, aPolicy, aWorkload, label, M1 } from './builders.js';

function lint(
  policy: OverridePolicy,
  templates: readonly KubeObject[],
  profile: 'default' | 'karmada' = 'default',
): readonly Diagnostic[] {
  const object = policy as unknown as KubeObject;
  return lintOverrides({
    overrides: [{ object, source: { file: 'o.yaml', line: 3 } }],
    templates,
    clusters: [M1],
    profile,
  });
}

function selecting(apiVersion: string, kind: string, rest: object = {}): Partial<OverrideSpec> {
  return { resourceSelectors: [{ apiVersion, kind, name: 'web', ...rest }] };
}

function plaintext(...edits: NonNullable<Overriders['plaintext']>): Overriders {
  return { plaintext: edits };
}

const web = aWorkload(
  'Deployment',
  { containers: [{ image: 'a' }, { image: 'b' }] },
  { replicas: 1 },
);

test('a policy that does its work gives no findings', () => {
  expect(lint(aPolicy('p', label('x'), selecting('apps/v1', 'Deployment')), [web])).toEqual([]);
});

test('a wrong apiVersion matches nothing, and the hint names the right one', () => {
  const [finding] = lint(aPolicy('p', label('x'), selecting('apps/v1beta1', 'Deployment')), [web]);

  expect(finding).toMatchObject({
    code: 'OVERRIDE_MATCHES_NOTHING',
    severity: 'error',
    file: 'o.yaml',
    line: 3,
    path: ['spec', 'resourceSelectors'],
    hint: 'Did you mean apiVersion apps/v1 in resourceSelectors[0]? That is the version of Deployment web.',
  });
});

test('a template of another namespace is out of reach, and the hint says so', () => {
  const far = anObject('ConfigMap', {}, { metadata: { namespace: 'other' } });
  const [finding] = lint(aPolicy('p', label('x'), selecting('v1', 'ConfigMap')), [far], 'karmada');

  expect(finding).toMatchObject({ code: 'OVERRIDE_MATCHES_NOTHING', severity: 'warning' });
  expect(finding?.hint).toContain(
    'is in namespace other; an OverridePolicy reaches only its own, shop',
  );
});

test('a rule for clusters that the fleet does not have is named', () => {
  const rules = [
    { overriders: label('x') },
    { overriders: label('y'), targetCluster: { clusterNames: ['m9'] } },
  ];
  const findings = lint(
    aPolicy('p', {}, { ...selecting('apps/v1', 'Deployment'), overrideRules: rules }),
    [web],
  );

  expect(findings).toMatchObject([
    {
      code: 'OVERRIDE_MATCHES_NOTHING',
      severity: 'warning',
      path: ['spec', 'overrideRules', 1, 'targetCluster'],
    },
  ]);
});

test('a field overrider beside rules is dropped by Karmada, and refused here', () => {
  const overriders: Overriders = { fieldOverrider: [{ fieldPath: '/data/a', yaml: [] }] };
  const policy = aPolicy('p', label('x'), { ...selecting('apps/v1', 'Deployment'), overriders });

  expect(lint(policy, [web])).toMatchObject([
    { code: 'OVERRIDE_TOP_LEVEL_IGNORED', severity: 'error' },
  ]);
  expect(lint(policy, [web], 'karmada')).toMatchObject([{ severity: 'warning' }]);
});

test('a policy without selectors over several kinds is pointed out', () => {
  const findings = lint(aPolicy('p', label('x')), [web, anObject('ConfigMap', {})]);

  expect(findings).toMatchObject([
    {
      code: 'OVERRIDE_UNSCOPED',
      summary:
        'OverridePolicy p has no resourceSelectors: it changes all 2 templates of namespace shop, of 2 kinds.',
    },
  ]);
});

test('a path that counts list items is a warning where there are several', () => {
  const edit = plaintext({
    path: '/spec/template/spec/containers/0/image',
    operator: 'replace',
    value: 'c',
  });
  const findings = lint(aPolicy('p', edit, selecting('apps/v1', 'Deployment')), [web]);

  expect(findings).toMatchObject([
    {
      code: 'OVERRIDE_BY_INDEX',
      severity: 'warning',
      path: ['spec', 'overrideRules', 0, 'overriders', 'plaintext', 0],
      hint: 'Use imageOverrider without predicate: it finds the images of all containers.',
    },
  ]);
});

test('a path that counts the only item is a note, and one that appends nothing at all', () => {
  const single = aWorkload('Deployment', { containers: [{ image: 'a' }] });
  const edit = plaintext(
    { path: '/spec/template/spec/containers/0/tty', operator: 'add', value: true },
    { path: '/spec/template/spec/containers/-', operator: 'add', value: {} },
  );

  expect(lint(aPolicy('p', edit, selecting('apps/v1', 'Deployment')), [single])).toMatchObject([
    { code: 'OVERRIDE_BY_INDEX', severity: 'info' },
  ]);
});

test('adding a map where one is drops what it held', () => {
  const labelled = anObject('ConfigMap', {}, { metadata: { labels: { a: '1', b: '2' } } });
  const edit = plaintext({ path: '/metadata/labels', operator: 'add', value: { x: 'y' } });

  expect(lint(aPolicy('p', edit, selecting('v1', 'ConfigMap')), [labelled])).toMatchObject([
    {
      code: 'OVERRIDE_REPLACES_MAP',
      summary: 'add /metadata/labels drops a, b of ConfigMap shop/web.',
      hint: 'Set single keys, e.g. /metadata/labels/x, or use labelsOverrider or annotationsOverrider.',
    },
  ]);
});

test('a map that keeps every key is fine', () => {
  const labelled = anObject('ConfigMap', {}, { metadata: { labels: { a: '1' } } });
  const edit = plaintext({ path: '/metadata/labels', operator: 'add', value: { a: '2', x: 'y' } });

  expect(lint(aPolicy('p', edit, selecting('v1', 'ConfigMap')), [labelled])).toEqual([]);
});
