import { describe, expect, test } from '@jest/globals';
import { compileLabelSelector, findLabelSelectorFault } from '../../lib/engine/label-selector.js';

const labels = { app: 'web', tier: 'prod', empty: '' };

describe('compileLabelSelector', () => {
  test.each([
    { name: 'an empty selector matches everything', selector: {}, matches: true },
    { name: 'an absent selector matches nothing', selector: undefined, matches: false },
    { name: 'equal label', selector: { matchLabels: { app: 'web' } }, matches: true },
    { name: 'other value', selector: { matchLabels: { app: 'api' } }, matches: false },
    {
      name: 'all labels must match',
      selector: { matchLabels: { app: 'web', tier: 'dev' } },
      matches: false,
    },
    { name: 'an empty value is a value', selector: { matchLabels: { empty: '' } }, matches: true },
    {
      name: 'an absent label is not the empty value',
      selector: { matchLabels: { none: '' } },
      matches: false,
    },
    {
      name: 'inherited members are no labels',
      selector: expression('constructor', 'Exists'),
      matches: false,
    },
    { name: 'In', selector: expression('tier', 'In', ['dev', 'prod']), matches: true },
    { name: 'In without the key', selector: expression('zone', 'In', ['a']), matches: false },
    { name: 'NotIn', selector: expression('tier', 'NotIn', ['prod']), matches: false },
    { name: 'NotIn without the key', selector: expression('zone', 'NotIn', ['a']), matches: true },
    { name: 'Exists', selector: expression('empty', 'Exists'), matches: true },
    { name: 'DoesNotExist', selector: expression('app', 'DoesNotExist'), matches: false },
    {
      name: 'DoesNotExist without the key',
      selector: expression('zone', 'DoesNotExist'),
      matches: true,
    },
    {
      name: 'malformed matches nothing',
      selector: expression('zone', 'Unlike', ['a']),
      matches: false,
    },
    {
      name: 'labels and expressions are both needed',
      selector: { matchLabels: { app: 'web' }, ...expression('tier', 'In', ['dev']) },
      matches: false,
    },
  ])('$name', ({ selector, matches }) => {
    expect(compileLabelSelector(selector)(labels)).toBe(matches);
  });

  test('an object without labels has none', () => {
    expect(compileLabelSelector(expression('app', 'DoesNotExist'))(undefined)).toBe(true);
  });
});

test('an empty `labels:` in YAML is none', () => {
  expect(compileLabelSelector(expression('app', 'Exists'))(null)).toBe(false);
  expect(compileLabelSelector(expression('app', 'DoesNotExist'))(null)).toBe(true);
});

test.each<{ name: string; selector: object }>([
  { name: 'labels that are a text', selector: { matchLabels: 'app=web' } },
  { name: 'a label value that is a number', selector: { matchLabels: { app: 1 } } },
  { name: 'expressions that are an object', selector: { matchExpressions: { key: 'app' } } },
  { name: 'an expression that is a text', selector: { matchExpressions: ['app'] } },
  { name: 'an expression without a key', selector: { matchExpressions: [{ operator: 'Exists' }] } },
  {
    name: 'values that are a text',
    selector: { matchExpressions: [{ key: 'app', operator: 'In', values: 'web' }] },
  },
])('$name make a selector malformed', ({ selector }) => {
  expect(findLabelSelectorFault(selector)).toBeDefined();
  expect(compileLabelSelector(selector)(labels)).toBe(false);
});

describe('findLabelSelectorFault', () => {
  test.each([
    {
      selector: expression('a', 'Gt', ['1']),
      fault: '"Gt" is not a valid label selector operator',
    },
    { selector: expression('a', 'In'), fault: 'In needs at least one value for key "a"' },
    {
      selector: expression('a', 'Exists', ['x']),
      fault: 'Exists takes no values, key "a" has some',
    },
    { selector: expression('a b', 'Exists'), fault: '"a b" is not a valid label key' },
    { selector: expression('x/y/z', 'Exists'), fault: '"x/y/z" is not a valid label key' },
    { selector: expression('Up.io/y', 'Exists'), fault: '"Up.io/y" is not a valid label key' },
    { selector: expression('', 'Exists'), fault: '"" is not a valid label key' },
    { selector: { matchLabels: { a: '-x' } }, fault: '"-x" is not a valid label value' },
    {
      selector: { matchLabels: { a: 'x'.repeat(64) } },
      fault: `"${'x'.repeat(64)}" is not a valid label value`,
    },
    { selector: expression('example.com/a', 'In', ['x', '']), fault: undefined },
  ])('$fault', ({ selector, fault }) => {
    expect(findLabelSelectorFault(selector)).toBe(fault);
  });
});

function expression(key: string, operator: string, values?: string[]) {
  return { matchExpressions: [{ key, operator, ...(values !== undefined && { values }) }] };
}
