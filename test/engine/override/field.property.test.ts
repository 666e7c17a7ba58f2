import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FieldOverrider } from '../../../lib/api/overriders.js';
import { overrideField } from '../../../lib/engine/override/overriders/field.js';
import { standardTools } from '../../../lib/providers/tools.js';
import { anObject } from './builders.js';

const TOOLS = standardTools();

/** What JSON and YAML both can say; negative zero is a zero to JSON. */
const scalar = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replace(/[\ud800-\udfff]/g, '')),
  fc.constantFrom(
    'yes',
    'null',
    '1e3',
    '0x1f',
    '2026-01-01',
    '~',
    '- a',
    'a: b',
    '#',
    ' x ',
    '\n',
    '"',
  ),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Number.isInteger(n) ? 0.5 : n)),
  fc.boolean(),
  fc.constant(null),
);
const { document } = fc.letrec<{ document: Record<string, unknown>; value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('document'),
  ),
  document: fc.dictionary(
    fc.string({ maxLength: 8 }).filter((key) => key !== '__proto__' && key !== '<<'),
    tie('value'),
    { maxKeys: 4, noNullPrototype: true },
  ),
}));

function edit(text: string, overrider: Omit<FieldOverrider, 'fieldPath'>): string | undefined {
  const object = anObject('ConfigMap', {}, { data: { doc: text } });
  const result = overrideField(object, { fieldPath: '/data/doc', ...overrider }, TOOLS);
  return result.ok ? (result.value['data'] as { doc: string }).doc : undefined;
}

const FORMATS = {
  json: {
    print: (value: unknown) => JSON.stringify(value),
    parse: (text: string): unknown => JSON.parse(text),
  },
  yaml: { print: TOOLS.printYaml, parse: TOOLS.parseYaml },
};

test('a number too large for JavaScript keeps its digits, or the document is refused', () => {
  const add = [{ operator: 'add', subPath: '/b', value: 1 }] as const;

  expect(edit('{"a":12345678901234567890}', { json: add })).toBe(
    '{"a":12345678901234567890,"b":1}',
  );
  expect(edit('a: 12345678901234567890', { yaml: add })).toBeUndefined();
});

describe.each(['json', 'yaml'] as const)('%s documents', (format) => {
  const { print, parse } = FORMATS[format];

  test('an edit adds its key and loses nothing else', () => {
    fc.assert(
      fc.property(document, scalar, (before, value) => {
        const after = edit(print(before), {
          [format]: [{ operator: 'add', subPath: '/added', value }],
        });

        expect(parse(after ?? '')).toEqual({ ...before, added: value });
      }),
      { numRuns: 1000 },
    );
  });

  test('adding and removing gives an equal document', () => {
    fc.assert(
      fc.property(document, (before) => {
        const { added: _, ...rest } = before;
        const after = edit(print(rest), {
          [format]: [
            { operator: 'add', subPath: '/added', value: 1 },
            { operator: 'remove', subPath: '/added' },
          ],
        });

        expect(parse(after ?? '')).toEqual(rest);
      }),
      { numRuns: 1000 },
    );
  });

  test('any text gives a document or a fault, never an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.string(), (text, path) => {
        const after = edit(text, {
          [format]: [{ operator: 'add', subPath: `/${path}`, value: { a: [1] } }],
        });

        expect(['string', 'undefined']).toContain(typeof after);
      }),
      { numRuns: 1500 },
    );
  });
});
