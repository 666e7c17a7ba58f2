import { expect, test } from '@jest/globals';
import { compileOverrides } from '../../../lib/engine/override/index.js';
import { aCluster, aClusterPolicy, anObject, aPolicy, label, M1, TOOLS } from './builders.js';

const M2 = aCluster('m2');
const onM1 = { clusterNames: ['m1'] };
const web = anObject('ConfigMap', {});

test('an object that no policy is for has an empty key', () => {
  expect(compileOverrides({}, TOOLS)(web)(M1)).toEqual({ key: '', identity: '', rules: [] });
});

test('clusters with the same rules share one set', () => {
  const overrides = compileOverrides({ overridePolicies: [aPolicy('a', label('a'))] }, TOOLS);

  expect(overrides(web)(M1)).toBe(overrides(web)(M2));
  expect(overrides(anObject('ConfigMap', {}, { metadata: { name: 'other' } }))(M1)).toBe(
    overrides(web)(M1),
  );
});

test('a rule for one cluster makes a set of its own', () => {
  const policy = aPolicy(
    'a',
    {},
    { overrideRules: [{ overriders: label('a'), targetCluster: onM1 }] },
  );
  const overrides = compileOverrides({ overridePolicies: [policy] }, TOOLS);

  expect(
    overrides(web)(M1).rules.map(({ policy: { name }, position }) => [name, position]),
  ).toEqual([['a', 0]]);
  expect(overrides(web)(M2).key).toBe('');
});

test('the key tells content, not names: a renamed policy changes nothing', () => {
  const keyOf = (name: string, value: string): string =>
    compileOverrides({ overridePolicies: [aPolicy(name, label(value))] }, TOOLS)(web)(M1).key;

  expect(keyOf('a', 'x')).toBe(keyOf('b', 'x'));
  expect(keyOf('a', 'x')).not.toBe(keyOf('a', 'y'));
});

test('the order of application is part of the key', () => {
  const keyOf = (first: string, second: string): string =>
    compileOverrides(
      { overridePolicies: [aPolicy('a', label(first)), aPolicy('b', label(second))] },
      TOOLS,
    )(web)(M1).key;

  expect(keyOf('x', 'y')).not.toBe(keyOf('y', 'x'));
});

test('a cluster rule that cannot be applied still has a set, so that its fault is found', () => {
  const broken = aClusterPolicy('c', { plaintext: [{ path: '/none', operator: 'remove' }] });
  const overrides = compileOverrides(
    { clusterOverridePolicies: [broken], overridePolicies: [aPolicy('a', label('a'))] },
    TOOLS,
  );

  expect(overrides(web)(M1).rules.map(({ policy }) => policy.name)).toEqual(['c']);
});

test('a policy with several selectors for one object applies once', () => {
  const selectors = [
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'web' },
    { apiVersion: 'v1', kind: 'ConfigMap' },
  ];
  const overrides = compileOverrides(
    { overridePolicies: [aPolicy('a', label('a'), { resourceSelectors: selectors })] },
    TOOLS,
  );

  expect(overrides(web)(M1).rules).toHaveLength(1);
});

test('the key of a Secret says nothing of the values put into it, its identity does', () => {
  const setOf = (kind: string, value: string): { key: string; identity: string } => {
    const overriders = {
      plaintext: [{ path: '/stringData/pin', operator: 'add', value }],
    } as const;
    const { key, identity } = compileOverrides(
      { overridePolicies: [aPolicy('a', overriders)] },
      TOOLS,
    )(anObject(kind, {}))(M1);
    return { key, identity };
  };

  expect(setOf('Secret', '1234').key).toBe(setOf('Secret', '9999').key);
  expect(setOf('Secret', '1234').identity).not.toBe(setOf('Secret', '9999').identity);
  expect(setOf('ConfigMap', '1234').key).not.toBe(setOf('ConfigMap', '9999').key);
});

test('many policies for many objects give each cluster its own, in order, whatever was asked before', () => {
  const names = Array.from({ length: 30 }, (_, i) => `p${`${i}`.padStart(2, '0')}`);
  const overridePolicies = names.map((name, i) =>
    aPolicy(
      name,
      {},
      {
        overrideRules: [
          { overriders: label(name), targetCluster: { clusterNames: [i % 2 === 0 ? 'm1' : 'm2'] } },
        ],
      },
    ),
  );
  const overrides = compileOverrides({ overridePolicies }, TOOLS);
  const other = anObject('ConfigMap', {}, { metadata: { name: 'other' } });
  const elsewhere = anObject(
    'ConfigMap',
    {},
    { metadata: { name: 'web', namespace: 'elsewhere' } },
  );
  const on = (object: typeof web, cluster: typeof M1): readonly string[] =>
    overrides(object)(cluster).rules.map(({ policy: { name } }) => name);

  for (const object of [web, other]) {
    expect(on(object, M1)).toEqual(names.filter((_, i) => i % 2 === 0));
    expect(on(object, M2)).toEqual(names.filter((_, i) => i % 2 === 1));
  }
  expect(on(elsewhere, M1)).toEqual([]);
});
