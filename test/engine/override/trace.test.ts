import { expect, test } from '@jest/globals';
import type { OverrideRule } from '../../../lib/engine/override/index.js';
import { traceOverrides } from '../../../lib/engine/override/index.js';
import { anObject, aWorkload, deepFreeze, label, TOOLS } from './builders.js';

function aRule(name: string, overriders: OverrideRule['overriders']): OverrideRule {
  return { policy: { kind: 'OverridePolicy', namespace: 'shop', name }, position: 0, overriders };
}

test('each rule shows the value before and after it', () => {
  const web = deepFreeze(aWorkload('Deployment', { containers: [{ image: 'web:1' }] }));
  const steps = traceOverrides(
    web,
    [
      aRule('a', { imageOverrider: [{ component: 'Registry', operator: 'replace', value: 'cn' }] }),
      aRule('b', { imageOverrider: [{ component: 'Tag', operator: 'replace', value: '2' }] }),
    ],
    TOOLS,
  );

  const path = '/spec/template/spec/containers/0/image';
  expect(steps.map(({ policy, changes }) => [policy.name, changes])).toEqual([
    ['a', [{ path, before: 'web:1', after: 'cn/web:1' }]],
    ['b', [{ path, before: 'cn/web:1', after: 'cn/web:2' }]],
  ]);
});

test('what was not there has no before, what is gone has no after', () => {
  const config = anObject('ConfigMap', {}, { data: { a: '1' } });
  const [step] = traceOverrides(
    config,
    [
      aRule('a', {
        plaintext: [
          { path: '/data/a', operator: 'remove' },
          { path: '/data/b~1c', operator: 'add', value: [1] },
        ],
      }),
    ],
    TOOLS,
  );

  expect(step?.changes).toEqual([
    { path: '/data/a', before: '1' },
    { path: '/data/b~1c', after: [1] },
  ]);
});

test('a rule that finds nothing has no changes', () => {
  const rule = aRule('a', { labelsOverrider: [{ operator: 'remove', value: { none: '' } }] });

  expect(traceOverrides(anObject('ConfigMap', {}), [rule], TOOLS)).toMatchObject([{ changes: [] }]);
});

test('a fault ends the trace', () => {
  const broken = aRule('a', { plaintext: [{ path: '/none/x', operator: 'remove' }] });
  const steps = traceOverrides(anObject('ConfigMap', {}), [broken, aRule('b', label('x'))], TOOLS);

  expect(steps).toMatchObject([{ changes: [], fault: { kind: 'missing', path: '/none/x' } }]);
});

test.each([
  ['data', { plaintext: [{ path: '/data/pin', operator: 'replace', value: 'new-value' }] }],
  ['all data', { plaintext: [{ path: '/data', operator: 'remove' }] }],
  [
    'a new member',
    { plaintext: [{ path: '/stringData', operator: 'add', value: { a: 'new-value' } }] },
  ],
  ['an annotation', { annotationsOverrider: [{ operator: 'add', value: { last: 'new-value' } }] }],
] as [string, OverrideRule['overriders']][])(
  'no value of a Secret is shown: %s',
  (_, overriders) => {
    const secret = anObject('Secret', {}, { data: { pin: 'old-value' } });
    const steps = traceOverrides(secret, [aRule('a', overriders)], TOOLS);

    expect(steps[0]?.changes.length).toBeGreaterThan(0);
    expect(JSON.stringify(steps)).toContain('(hidden)');
    expect(JSON.stringify(steps)).not.toMatch(/old-value|new-value/);
  },
);

test('labels of a Secret are shown', () => {
  expect(
    traceOverrides(anObject('Secret', {}), [aRule('a', label('x'))], TOOLS)[0]?.changes,
  ).toMatchObject([{ after: { by: 'x' } }]);
});

test('a rule that makes another object ends the trace, and shows no value of a Secret', () => {
  const secret = anObject('Secret', {}, { data: { pin: 'old-value' } });
  const value = { ...secret, kind: 'ConfigMap', data: { pin: 'new-value' } };
  const another = aRule('a', { plaintext: [{ path: '', operator: 'replace', value }] });
  const steps = traceOverrides(secret, [another, aRule('b', label('x'))], TOOLS);

  expect(steps).toMatchObject([{ changes: [], fault: { kind: 'identity', path: '/kind' } }]);
  expect(steps).toHaveLength(1);
  expect(JSON.stringify(steps)).not.toMatch(/old-value|new-value/);
});
