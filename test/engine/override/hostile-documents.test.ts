import { describe, expect, test } from '@jest/globals';
import type { FieldOverrider } from '../../../lib/api/overriders.js';
import { overrideField } from '../../../lib/engine/override/overriders/field.js';
import { standardTools } from '../../../lib/providers/tools.js';
import { anObject } from './builders.js';

const TOOLS = standardTools();
const BOUND = 5_000;
const ADD = [{ operator: 'add', subPath: '/added', value: 1 }] as const;

/** The text after the edit, or the one sentence why there is none; never anything else, and soon. */
function edited(text: string, overrider: Omit<FieldOverrider, 'fieldPath'>): string {
  const object = anObject('ConfigMap', {}, { data: { doc: text } });
  const start = performance.now();
  const result = overrideField(object, { fieldPath: '/data/doc', ...overrider }, TOOLS);
  expect(performance.now() - start).toBeLessThan(BOUND);
  if (result.ok) return (result.value['data'] as { doc: string }).doc;
  expect(result.fault.message).not.toBe('');
  expect(result.fault.message.length).toBeLessThan(300);
  return `refused: ${result.fault.message}`;
}

const yaml = (text: string): string => edited(text, { yaml: ADD });
const json = (text: string): string => edited(text, { json: ADD });

describe('YAML that means harm', () => {
  test('aliases that multiply', () => {
    const bomb = Array.from({ length: 12 }, (_, i) =>
      i === 0
        ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
        : `a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}]`,
    );

    expect(yaml(`${bomb.join('\n')}\n`)).toBe('refused: the text is not valid YAML');
  });

  test.each([
    ['a value that holds itself', 'a: &a [*a]\n'],
    ['an alias of nothing', 'a: *nowhere\n'],
    ['a key twice', 'a: 1\na: 2\n'],
    ['a key twice, quoted', 'a: 1\n"a": 2\n'],
    ['two documents', 'a: 1\n---\nb: 2\n'],
    ['a tab before a key', 'a:\n\tb: 1\n'],
    ['an open bracket', `a: ${'['.repeat(20_000)}\n`],
    ['an open quote', `a: "${'x'.repeat(100_000)}\n`],
    ['a number that cannot be kept', `a: ${'9'.repeat(400)}\n`],
    ['nesting beyond the stack', `a: ${'['.repeat(30_000)}${']'.repeat(30_000)}\n`],
    ['a map as a key', '{a: 1}: 2\n'],
  ])('%s', (_name, text) => {
    expect(yaml(text)).toMatch(/^refused: /);
  });

  test.each([
    ['a merge key', 'base: &b {x: 1}\nuse:\n  <<: *b\n  y: 2\n'],
    ['an unknown tag', 'a: !evil {b: 1}\n'],
    ['a tag of another language', 'a: !!python/object/apply:os.system ["true"]\n'],
    ['binary', 'a: !!binary aGk=\n'],
    ['a set', 'a: !!set {b, c}\n'],
    ['a time', 'a: 2026-01-01T00:00:00Z\n'],
    ['many anchors', Array.from({ length: 500 }, (_, i) => `k${i}: &k${i} v\n`).join('')],
    ['a directive', '%YAML 1.2\n---\na: 1\n'],
    ['bytes of no meaning', 'a: "\\0\\x07\\u2028"\n'],
    ['long lines', `a: ${'x '.repeat(100_000)}\n`],
    ['many keys', Array.from({ length: 20_000 }, (_, i) => `k${i}: ${i}\n`).join('')],
  ])('%s is kept or refused, as a whole', (_name, text) => {
    const after = yaml(text);

    if (!after.startsWith('refused')) {
      const { added, ...rest } = TOOLS.parseYaml(after) as Record<string, unknown>;
      expect(added).toBe(1);
      expect(rest).toEqual(TOOLS.parseYaml(text));
    }
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'a key "%s" is a key like any other, or refused',
    (key) => {
      const after = yaml(`${key}: {polluted: true}\nb: 1\n`);

      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      if (!after.startsWith('refused')) {
        expect(after).toContain(`${key}:`);
        expect(after).toContain('polluted: true');
      }
    },
  );
});

describe('JSON that means harm', () => {
  test.each([
    ['nesting beyond the stack', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['an open bracket', '['.repeat(200_000)],
    ['a comma too many', '{"a":1,}'],
    ['a comment', '{"a":1} // x'],
    ['NaN', '{"a":NaN}'],
    ['half a character', '{"a":"\\ud800'],
    ['a byte order mark', '\ufeff{"a":1}'],
  ])('%s', (_name, text) => {
    expect(json(text)).toMatch(/^refused: /);
  });

  test.each([
    ['1e400', '{"a":1e400}'],
    ['-0', '{"a":-0}'],
    ['a number of many digits', '{"a":0.1234567890123456789012345678901234567890}'],
    ['a large whole number', `{"a":${'9'.repeat(400)}}`],
  ])('a number beyond what JavaScript holds: %s', (_name, text) => {
    expect(json(text)).not.toContain('null');
  });

  test('a key twice: the last one counts, as everywhere in JSON', () => {
    expect(json('{"a":1,"a":2}')).toBe('{"a":2,"added":1}');
  });

  test('__proto__ is a key like any other', () => {
    const after = json('{"__proto__":{"polluted":true},"b":1}');

    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(after).toContain('"__proto__":{"polluted":true}');
  });
});

describe('edits that mean harm', () => {
  test.each([
    ['/__proto__/polluted', 'add'],
    ['/constructor/prototype/polluted', 'add'],
    ['/a/__proto__', 'remove'],
    ['/a/length', 'replace'],
    ['/list/length', 'replace'],
    ['/list/-1', 'add'],
    ['/list/1e3', 'add'],
    ['/list/00', 'replace'],
    ['/list/999999999999', 'add'],
    [`/${'a/'.repeat(50_000)}`, 'add'],
    ['/a~2b', 'add'],
    ['a', 'add'],
  ] as const)('%.40s %s', (subPath, operator) => {
    for (const format of ['json', 'yaml'] as const) {
      edited('{"a":{"b":1},"list":[1,2]}', { [format]: [{ operator, subPath, value: 1 }] });

      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      expect([].length).toBe(0);
    }
  });
});
