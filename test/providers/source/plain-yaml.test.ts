import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDocuments, printDocuments } from '../../../lib/providers/source/index.js';
import { parsePlain } from '../../../lib/providers/source/plain-yaml.js';
import { parseAnyDocuments } from '../../../lib/providers/source/yaml.js';

/** Where the quick parser gives an answer, it is the full parser's answer. */
const EXAMPLES = [
  '01-online-boutique/manifests.yaml',
  '01-online-boutique/fleet.yaml',
  '04-karmada-nginx/overridepolicy.yaml',
].map((file) => readFileSync(resolve(__dirname, '../../../examples', file), 'utf8'));
const SNIPPETS = [
  'a: b',
  '  - x',
  '- y: 1',
  '#c',
  '',
  '  deeper: z',
  'k: |',
  '   text',
  'k: |-',
  ' - q',
  '-',
  'a:',
  '? x',
  '"q": "v"',
  "s: 'it'",
  'n: 012',
  'y: yes',
  'm: [1, 2]',
  'e: {}',
  'c: d # e',
  '---',
  '&a',
  'u: "a: b"',
  '\tx: y',
  '  ',
  'k: >',
  'b: 1_0',
  'on: 1',
  '- - a',
  '-  a: 1',
  '   b: 2',
];

function expectSame(text: string): void {
  const quick = parseDocuments(text);
  const full = parseAnyDocuments(text);
  expect(quick.map((d) => [d.value, d.start, d.problems])).toEqual(
    full.map((d) => [d.value, d.start, d.problems]),
  );
}

test('of any lines', () => {
  const lines = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom(...SNIPPETS)), {
    maxLength: 9,
  });
  fc.assert(
    fc.property(lines, (parts) =>
      expectSame(parts.map(([indent, line]) => ' '.repeat(indent) + line).join('\n')),
    ),
    { numRuns: 3_000 },
  );
});

test('of edited manifests', () => {
  const edit = fc.record({
    file: fc.nat(EXAMPLES.length - 1),
    at: fc.nat(60),
    cut: fc.nat(2),
    put: fc.constantFrom(...SNIPPETS),
    indent: fc.nat(8),
  });
  fc.assert(
    fc.property(edit, ({ file, at, cut, put, indent }) => {
      const lines = (EXAMPLES[file] ?? '').split('\n').slice(0, 70);
      lines.splice(at, cut, ' '.repeat(indent) + put);
      expectSame(lines.join('\n'));
    }),
    { numRuns: 400 },
  );
});

test('of whatever we print', () => {
  const value = fc.dictionary(
    fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 3 }), (values) => expectSame(printDocuments(values))),
    { numRuns: 500 },
  );
});

test('published manifests are plain, so that reading them is quick', () => {
  const [manifests = '', fleet = ''] = EXAMPLES;

  expect(
    fleet.split('\n---\n').map((text) => parsePlain(text.split('\n')) !== undefined),
  ).not.toContain(false);
  expect(parseDocuments(manifests).length).toBeGreaterThan(30);
});
