import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromLatin1, latin1 } from '../../../lib/providers/lua/bytes.js';
import { numberText } from '../../../lib/providers/lua/number-text.js';
import { findMatch } from '../../../lib/providers/lua/find-match.js';
import { compilePattern } from '../../../lib/providers/lua/pattern.js';
import { evaluate, NOW, taught, widget } from './evaluate.js';

/** Expressions, and the texts of their values as the Lua that Karmada runs (gopher-lua 1.1.1) gives them. */
const RECORDED = JSON.parse(readFileSync(join(__dirname, 'gopher-lua.json'), 'utf8')) as readonly [
  expression: string,
  values: readonly string[],
][];

test.each(RECORDED)('%s', (expression, values) => {
  const body = `local v = { ${expression} }
    local texts = { n = ${values.length} }
    local list = {}
    for i = 1, texts.n do list[i] = tostring(v[i]) end
    return { list = list, count = select("#", ${expression}) }`;

  expect(evaluate(body)).toEqual({
    ...(values.length > 0 && { list: values }),
    count: values.length,
  });
});

describe('what differs from the machine below', () => {
  test.each(['7 // 2', '5 & 3', '1 | 2', '~1', '1 << 2'])('%s is refused', (expression) => {
    expect(() => evaluate(`return { ${expression} }`)).toThrow('no operator of Lua 5.1');
  });

  test.each([
    'io',
    'debug',
    'coroutine',
    'package',
    'table.unpack',
    'table.pack',
    'math.tointeger',
    'string.pack',
    'os.execute',
    'os.getenv',
    'rawlen',
    'utf8',
  ])('%s is absent', (name) => {
    expect(evaluate(`return { type = type(${name}) }`)).toEqual({ type: 'nil' });
  });

  test.each([
    'loadstring("return 1")()',
    'load(function() end)',
    'dofile("/etc/passwd")',
    'setmetatable({}, {})',
    'getmetatable("")',
    'rawset({}, 1, 1)',
    'collectgarbage("count")',
    'string.rep("x", 10)',
    'string.gsub("a", "a", "b")',
    '("x"):rep(10)',
    'string.dump(print)',
  ])('%s says that it is not available', (call) => {
    expect(() => evaluate(`return { ${call} }`)).toThrow('is not available');
  });
});

test('time stands still at the plan, and chance is the same in every call', () => {
  const { interpretStatus } = taught({
    statusReflection: `function ReflectStatus()
      return { at = os.time(), text = os.date("!%Y-%m-%dT%H:%M:%SZ"), year = os.date("*t").year,
        chance = math.random(), dice = math.random(6) }
    end`,
  });
  const first = interpretStatus?.(widget({}));

  expect(first).toMatchObject({ at: Date.parse(NOW) / 1000, text: NOW, year: 2026 });
  expect(interpretStatus?.(widget({}))).toEqual(first);
});

test('bytes of a table key are told apart, whatever they are', () => {
  expect(evaluate('local t = {} t["\\1#"] = 1 t["\\18\\3"] = 2 return { a = t["\\1#"] }')).toEqual({
    a: 1,
  });
});

test('property: whole numbers print all their digits, others read back as they were', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      (x, n) => {
        expect(Number(numberText(x))).toBe(x + 0);
        expect(numberText(n)).toBe(String(n));
      },
    ),
  );
});

test('property: an escaped text is found where it first stands', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '%', '-', '(', ']', '$', '^') });
  fc.assert(
    fc.property(text, text, (haystack, needle) => {
      const pattern = compilePattern(fromLatin1(needle.replace(/[^a-z]/g, '%$&')));
      const match = findMatch(pattern, fromLatin1(haystack), 0, () => undefined);

      expect(match?.start ?? -1).toBe(haystack.indexOf(needle));
    }),
  );
});

test('property: patterns match as the regular expressions that mean the same', () => {
  const piece = fc.constantFrom(
    ...([
      ['a', 'a'],
      ['%a', '[A-Za-z]'],
      ['[ab]*', '[ab]*'],
      ['b+', 'b+'],
      ['.-', '[^]*?'],
      ['%d?', '\\d?'],
      ['[^a]', '[^a]'],
      ['(b*)', '(b*)'],
    ] as const),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 5 }),
      fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ') }),
      (pieces, text) => {
        const pattern = compilePattern(fromLatin1(pieces.map(([lua]) => lua).join('')));
        const match = findMatch(pattern, fromLatin1(text), 0, () => undefined);
        const expected = new RegExp(pieces.map(([, js]) => js).join('')).exec(text);

        expect(match && latin1(fromLatin1(text).slice(match.start, match.end))).toBe(expected?.[0]);
        expect(match?.captures.map((c) => text.slice(...(c as [number, number])))).toEqual(
          expected?.slice(1),
        );
      },
    ),
  );
});
