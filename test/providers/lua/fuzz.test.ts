import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newMachine } from '../../../lib/providers/lua/machine.js';
import { LIMITS } from '../../../lib/providers/lua/meter.js';
import { compileScript, ScriptError } from '../../../lib/providers/lua/script.js';
import { NOW } from './evaluate.js';

const SMALL = { ...LIMITS, steps: 5_000, textBytes: 200_000, tables: 500 };

/** Expressions and statements that parse, of whatever sense. */
const { block } = fc.letrec<{ value: string; statement: string; block: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      'nil',
      'true',
      '1',
      '-0.5',
      '1e308',
      '"x"',
      '"%d"',
      '""',
      '{}',
      'a',
      'b',
      '...',
    ),
    fc.constantFrom('string', 'table', 'math', 'os', '_G', 'kube', 'pcall', 'tostring', 'obj'),
    fc.tuple(tie('value'), tie('value')).map(([t, k]) => `(${t})[${k}]`),
    fc
      .tuple(
        tie('value'),
        fc.constantFrom('+', '*', '%', '^', '..', '==', '<', 'and', 'or'),
        tie('value'),
      )
      .map((parts) => `(${parts.join(' ')})`),
    fc.tuple(fc.constantFrom('-', '#', 'not '), tie('value')).map(([sign, v]) => `(${sign}(${v}))`),
    fc.tuple(tie('value'), tie('value'), tie('value')).map(([f, x, y]) => `(${f})(${x}, ${y})`),
    fc
      .tuple(
        fc.constantFrom(
          'string.format',
          'string.find',
          'string.match',
          'string.sub',
          'string.byte',
          'string.char',
          'table.concat',
          'table.insert',
          'table.remove',
          'table.sort',
          'unpack',
          'pcall',
          'xpcall',
          'select',
          'tonumber',
          'error',
          'next',
          'pairs',
          'math.random',
          'math.ldexp',
          'os.date',
          'os.time',
          'kube.resourceAdd',
          'kube.accuratePodRequirements',
          'kube.getPodDependencies',
        ),
        fc.array(tie('value'), { maxLength: 4 }),
      )
      .map(([f, args]) => `${f}(${args.join(', ')})`),
    tie('block').map((body) => `(function(...) ${body} end)`),
    fc.tuple(tie('value'), tie('value')).map(([x, y]) => `{ ${x}, [${y} or 1] = ${x} }`),
  ),
  statement: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(fc.constantFrom('a', 'b', 'obj.x', '_G.c', 'string.upper'), tie('value'))
      .map(([n, v]) => `${n} = ${v}`),
    tie('value').map((v) => `local a = ${v}`),
    fc.tuple(tie('value'), tie('block')).map(([v, body]) => `while ${v} do ${body} end`),
    fc.tuple(tie('value'), tie('block')).map(([v, body]) => `for b = 1, (${v}) do ${body} end`),
    fc
      .tuple(tie('value'), tie('block'))
      .map(([v, body]) => `for a, b in pairs(${v}) do ${body} end`),
    fc.tuple(tie('value'), tie('block')).map(([v, body]) => `if ${v} then ${body} end`),
    tie('value').map((v) => `pcall(function(...) return ${v} end, a, b)`),
  ),
  block: fc
    .tuple(fc.array(tie('statement'), { maxLength: 3 }), tie('value'))
    .map(([statements, v]) => `${statements.join('; ')}; do return ${v} end`),
}));

/** One machine for all: what one script does must not harm the next. */
const machine = newMachine();

function outcome(body: string): 'answer' | ScriptError {
  try {
    const text = `local kube = require("kube") function F(obj, ...) ${body} end`;
    const script = compileScript(machine, text, SMALL);
    script.call({ fn: 'F', args: [{ x: 1, list: [1, 2] }], results: 1, now: NOW });
    return 'answer';
  } catch (error) {
    if (error instanceof ScriptError) return error;
    throw error;
  }
}

test('property: whatever a script is, it ends, with an answer or a ScriptError, and harms no other', () => {
  let answers = 0;
  fc.assert(
    fc.property(block, (body) => {
      const start = performance.now();
      const got = outcome(body);
      if (got === 'answer') answers += 1;

      expect(performance.now() - start).toBeLessThan(5_000);
      if (got !== 'answer') expect(got.message).not.toContain('beyond what the Lua machine');
      expect(outcome('return { obj.x, ("x"):upper(), tostring(1 / 4), #obj.list }')).toBe('answer');
    }),
    { numRuns: 1500 },
  );

  expect(answers).toBeGreaterThan(10);
});

test('property: whatever bytes a script is, it ends', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(['answer', 'ScriptError']).toContain(
        ((got) => (got === 'answer' ? got : got.name))(outcome(text)),
      );
    }),
    { numRuns: 1500 },
  );
});
