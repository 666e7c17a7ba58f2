import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../../lib/engine/canonical.js';
import { parseDocuments, parseYaml, printYaml } from '../../../lib/providers/source/index.js';

/** What sigs.k8s.io/yaml 1.6.0, the parser of kubectl, answers for `a: TEXT`; recorded with its YAMLToJSON. */
const RECORDED: readonly (readonly [string, unknown])[] = [
  ['yes', true],
  ['no', false],
  ['on', true],
  ['off', false],
  ['y', true],
  ['N', false],
  ['True', true],
  ['tRUE', 'tRUE'],
  ['0644', 420],
  ['0o644', 420],
  ['0x1F', 31],
  ['0b101', 5],
  ['1_000', 1000],
  ['22:22', '22:22'],
  ['1:30:00', '1:30:00'],
  ['2024-01-01', '2024-01-01'],
  ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
  ['1e3', 1000],
  ['1.5', 1.5],
  ['.5', 0.5],
  ['5.', 5],
  ['12345e6', 12345000000],
  ['~', null],
  ['', null],
  ['NaN', 'NaN'],
  ['0777_7', 4095],
  ['+1', 1],
  ['-0', 0],
  ['09', 9],
  ['99999999999999999999e0', 100000000000000000000],
  ['<<', '<<'],
  ['=', '='],
  ['0.10', 0.1],
  ['!!str yes', 'yes'],
  ['!!int 5', 5],
  ['1_0.5', 10.5],
  ['0x', '0x'],
  ['_1', '_1'],
  ['08.5', 8.5],
  ['-0x10', -16],
  ['-010', -8],
  ['0b', '0b'],
  ['+.5', 0.5],
  ['1e', '1e'],
  ['1e-3', 0.001],
  ['!foo bar', 'bar'],
  ['!!bool yes', true],
];

const problemsOf = (text: string): readonly string[] =>
  parseDocuments(text).flatMap((d) => d.problems.map((p) => p.message));

describe('scalars are read as kubectl reads them', () => {
  test.each(RECORDED)('%s', (text, value) => {
    expect(parseYaml(`a: ${text}\n`)).toEqual({ a: value });
  });

  test.each([
    ['yes: 1', { true: 1 }],
    ['1.5: a', { '1.5': 'a' }],
    ['0x10: 1', { 16: 1 }],
    ['x: &a {b: 1}\nz:\n  <<: *a\n  b: 2\n', { x: { b: 1 }, z: { b: 2 } }],
  ])('keys and merges: %j', (text, value) => {
    expect(parseYaml(text)).toEqual(value);
  });
});

describe('hostile text is harmless', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghij'].map((c, i) => `${c}: &${c} [${`*${'abcdefghi'[i]},`.repeat(9)}]`).join('\n')}`;

  test.each([
    ['alias bomb', bomb, /alias/],
    ['deep nesting', '['.repeat(50_000), /nested too deeply/],
    ['duplicate keys', 'a: 1\na: 2\n', /unique/],
    ['keys that an object cannot tell apart', '1: a\n"1": b\n', /unique/],
    ['__proto__', '__proto__: {polluted: true}\n', /__proto__/],
    ['a null key', '~: 1\n', /key must be a text/],
    ['a list as key', '? [a]\n: b\n', /key must be a text/],
    ['infinity', 'a: .inf\n', /quotes/],
    ['a number too large', 'a: 9007199254740993\n', /too large/],
    ['tabs', '\ta: 1\n', /[Tt]ab/],
  ])('%s', (_name, text, problem) => {
    const problems = problemsOf(text);

    expect(problems[0]).toMatch(problem);
    expect(problems.length).toBeLessThanOrEqual(3);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('any text is read or refused, never thrown at', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab:- #\n\t\'"{}[]&*!|>%@`?,01') }),
        (text) => void parseDocuments(text),
      ),
    );
  });
});

test('documents and fields are found again by line and column', () => {
  const [, second] = parseDocuments('a: 1\n---\nspec:\n  list:\n  - name: x\n  - name: y\n');

  expect(second?.start).toEqual({ line: 3, column: 1 });
  expect(second?.locate(['spec', 'list', 1, 'name'])).toEqual({ line: 6, column: 5 });
  expect(second?.locate(['spec', 'list', 7])).toEqual({ line: 4, column: 3 });
  expect(second?.locate(['missing'])).toEqual({ line: 3, column: 1 });
});

describe('printing', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      ...RECORDED.map(([text]) => text),
      'a: b',
      'a #b',
      '- a',
      '-v',
      'a\n',
      'a\n\n',
      'a\n  b\n',
      '  a\nb',
      '\n',
      'a\r\nb',
      '\ta\n',
      '---',
      '...',
    ),
    fc.string({ unit: fc.constantFrom(...'ab:- #\n\t\'"{}[]0129.eE_,()=|>&*!%@`?') }),
  );
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      texts,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        texts.filter((key) => key !== '__proto__'),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  }));

  test('any value comes back as it was', () => {
    fc.assert(
      fc.property(fc.record({ value: values }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));

        expect(canonicalJson(parseYaml(printYaml(plain)))).toBe(canonicalJson(plain));
      }),
      { numRuns: 2_000 },
    );
  });

  test('people can read it', () => {
    const text = printYaml({
      b: ['x', { d: 1, c: [] }, [1, 2]],
      a: { image: 'nginx:1.29', cpu: '250m', port: '80', yes: 'yes', script: 'one\ntwo\n' },
      z: {},
      none: undefined,
    });

    expect(text).toMatchSnapshot();
  });
});
