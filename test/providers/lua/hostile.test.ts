import { describe, expect, test } from '@jest/globals';
import type { Interpreter } from '../../../lib/engine/interpret/index.js';
import { InterpretError } from '../../../lib/engine/interpret/index.js';
import { newMachine } from '../../../lib/providers/lua/machine.js';
import { LIMITS } from '../../../lib/providers/lua/meter.js';
import { compileScript } from '../../../lib/providers/lua/script.js';
import { evaluate, NOW, taught, widget } from './evaluate.js';

/** Enough for any honest script of these tests, and soon used up. */
const SMALL = { ...LIMITS, steps: 100_000, textBytes: 4_000_000, tables: 5_000, entries: 5_000 };

/** Runs a function body under small limits. */
function run(body: string): unknown {
  const script = compileScript(newMachine(), `function F() ${body} end`, SMALL);
  return script.call({ fn: 'F', args: [], results: 1, now: NOW });
}

describe('a script that does not want to end is ended', () => {
  test.each<[name: string, body: string]>([
    ['a loop', 'while true do end'],
    ['a loop that catches errors', 'while true do pcall(function() while true do end end) end'],
    ['nested catching', 'local function f() pcall(f) return f() end while true do pcall(f) end'],
    ['a handler that loops', 'xpcall(error, function() while true do end end) while true do end'],
    ['a loop by goto', '::again:: goto again'],
    ['tail calls', 'local function f() return f() end return f()'],
    ['iterators', 'for _ in function() return 1 end do end'],
    ['a comparison that loops', 'table.sort({ 1, 2, 3 }, function() while true do end end)'],
    [
      'a pattern that backtracks',
      'local s = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" return (s .. s):find("a-a-a-a-a-a-a-a-b")',
    ],
    [
      'sorting again and again',
      'local t = {} for i = 1, 1000 do t[i] = i end while true do table.sort(t) end',
    ],
    ['unpacking again and again', 'while true do unpack({}, 1, 90000) end'],
    [
      'joining again and again',
      'local t = {} for i = 1, 1000 do t[i] = "" end while true do table.concat(t) end',
    ],
    ['shifting again and again', 'local t = {} while true do table.insert(t, 1, 0) end'],
  ])('%s', (_name, body) => {
    expect(() => run(body)).toThrow('takes too long');
  });

  /** Each takes as long as dozens of instructions, and so it must count: `times` of them are too many for 100,000 steps. */
  test.each<[name: string, times: number, body: string]>([
    ['catching errors', 2_500, 'pcall(error)'],
    ['catching errors with a handler', 2_500, 'xpcall(error, function() end)'],
    ['catching errors of functions', 2_500, 'pcall(string.rep)'],
    ['removing from the front of a list', 60, 'table.remove(t, 1)'],
    ['inserting at the front of a list', 60, 'table.insert(t, 1, 0)'],
  ])('%s costs what it takes', (_name, times, body) => {
    const list = 'local t = {} for i = 1, 1000 do t[i] = i end';

    expect(() => run(`${list} for _ = 1, ${times} do ${body} end`)).toThrow('takes too long');
  });

  test('the end of a list is cheap', () => {
    const list = 'local t = {} for i = 1, 1000 do t[i] = i end';
    const change = 'local x = table.remove(t, #t) table.insert(t, #t + 1, x)';

    expect(run(`${list} for _ = 1, 400 do ${change} end return #t`)).toEqual([1000]);
  });

  test.each<[name: string, body: string]>([
    ['a text that doubles', 'local s = "x" while true do s = s .. s end'],
    [
      'a text that doubles, with errors caught',
      'local s = "x" while true do pcall(function() s = s .. s end) end',
    ],
    ['many texts', 'local t = {} for i = 1, 1e9 do t[i] = i .. "" end'],
    ['many tables', 'local t = {} while true do t = { t } end'],
    ['long fields', 'local t = {} for i = 1, 1e9 do t[i] = string.format("%99d", 1) end'],
    [
      'a long list of texts',
      'local t = {} for i = 1, 99 do t[i] = ("x"):upper() end while true do table.concat(t, "xxxxxxxxxxxxxxxxxxxxxxxx") end',
    ],
  ])('%s', (_name, body) => {
    expect(() => run(body)).toThrow(/uses too much memory|takes too long/);
  });

  test.each<[name: string, body: string, message: string]>([
    ['too much of %', 'error("100% %s %d")', '100% %s %d'],
    [
      'a text that is too long for functions',
      'local s = "0123456789" for i = 1, 17 do s = s .. s end return s:upper()',
      'too long',
    ],
    [
      'a text that is nearly a number',
      'local s = "1" for i = 1, 19 do s = s .. s end s = s .. "x" assert(tonumber(s) == nil) return s + 1',
      'attempt to perform arithmetic on a string',
    ],
    ['too wide a field', 'return string.format("%1000d", 1)', 'too long'],
    ['an error that is no text', 'error({})', 'an error that is a table'],
    ['an error that is nothing', 'error()', 'an error that is a nil'],
    ['too many captures', 'return ("x"):find("' + '()'.repeat(40) + '")', 'too many captures'],
    ['a malformed pattern', 'return ("x"):find("[a")', 'malformed pattern'],
    ['an unfinished capture', 'return ("x"):find("(x")', 'unfinished capture'],
  ])('%s', (_name, body, message) => {
    expect(() => run(body)).toThrow(message);
  });

  test('tables, their members and texts are counted, each for itself', () => {
    const under = (limits: object, body: string): unknown =>
      compileScript(newMachine(), `function F() ${body} end`, { ...LIMITS, ...limits }).call({
        fn: 'F',
        args: [],
        results: 1,
        now: NOW,
      });
    const tables = 'for i = 1, 2000 do local t = {} end return 1';
    const texts = 'local s = "x" for i = 1, 2000 do s = "x" .. i end return 1';
    const entries = 'local t = {} for i = 1, 2000 do t[i] = i end return 1';
    const replaced = 'local t = {} for i = 1, 2000 do t.x = i end return 1';
    const gone = 'local t = {} for i = 1, 2000 do t.x = i t.x = nil end return 1';

    expect(() => under({ tables: 1000 }, tables)).toThrow('uses too much memory');
    expect(under({ tables: 3000 }, tables)).toEqual([1]);
    expect(() => under({ textBytes: 100_000 }, texts)).toThrow('uses too much memory');
    expect(under({ textBytes: 500_000 }, texts)).toEqual([1]);
    expect(() => under({ entries: 1000 }, entries)).toThrow('uses too much memory');
    expect(() => under({ entries: 1000 }, gone)).toThrow('uses too much memory');
    expect(under({ entries: 1000 }, replaced)).toEqual([1]);
    expect(under({ entries: 3000 }, entries)).toEqual([1]);
  });

  test.each<[name: string, cheap: string, dear: string]>([
    ['a length', 'x = 1', 'x = #t'],
    ['a walk', 'x = 1', 'for _ in pairs(t) do end'],
    ['a long comparison', 'x = 1', 'x = a < b'],
    ['a long equality', 'x = 1', 'x = a == b'],
    ['a long key', 'x = 1', 'x = t[a]'],
  ])('%s costs more than an instruction', (_name, cheap, dear) => {
    const times = (body: string): string =>
      `local x local t = {} for i = 1, 200 do t[i] = i end local a = "x" for i = 1, 12 do a = a .. a end local b = a .. "b" a = a .. "a" for i = 1, 400 do ${body} end return 1`;

    const script = (body: string): unknown => {
      const under = { ...SMALL, steps: 5_000 };
      return compileScript(newMachine(), `function F() ${times(body)} end`, under).call({
        ...{ fn: 'F', args: [], results: 1, now: NOW },
      });
    };

    expect(script(cheap)).toEqual([1]);
    expect(() => script(dear)).toThrow('takes too long');
  });

  test.each<[name: string, body: string]>([
    ['filling a list', 'local t = {} for i = 1, 1e9 do t[i] = i end'],
    ['filling a list at its end', 'local t = {} for i = 1, 1e9 do t[#t + 1] = i end'],
    ['filling a map', 'local t = {} for i = 1, 1e9 do t["k" .. i] = i end'],
    [
      'comparing',
      'local s = "x" for i = 1, 17 do s = s .. s end local a, b = s .. "a", s .. "b" while true do local x = a < b end',
    ],
  ])('%s is stopped by a count, long before the clock', (_name, body) => {
    // A clock that never strikes: what stops the script is the same on every machine.
    const script = compileScript(newMachine(), `function F() ${body} end`, {
      ...LIMITS,
      seconds: Number.POSITIVE_INFINITY,
    });

    expect(() => script.call({ fn: 'F', args: [], results: 1, now: NOW })).toThrow(
      /uses too much memory|takes too long/,
    );
  });

  test('recursion ends where the stack does', () => {
    expect(() => evaluate('local function f() return 1 + f() end return f()')).toThrow(
      'stack overflow',
    );
    expect(evaluate('local function f() return pcall(f) end return { ok = f() }')).toEqual({
      ok: true,
    });
  });

  test('with real limits it takes no more than a few seconds', () => {
    const { interpretHealth } = taught({
      healthInterpretation: 'function InterpretHealth() while true do end end',
    });
    const start = performance.now();

    expect(() => interpretHealth?.(widget({}))).toThrow('takes too long');
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('and it is not run for every object', () => {
    const script = compileScript(newMachine(), 'function F(stuck) while stuck do end end', SMALL);
    const call = (stuck: boolean): unknown =>
      script.call({ fn: 'F', args: [stuck], results: 1, now: NOW });
    for (let i = 0; i < 3; i += 1) expect(() => call(true)).toThrow('takes too long');

    expect(() => call(false)).toThrow('not run again');
  });

  test('one that went wrong once works the next time', () => {
    const script = compileScript(
      newMachine(),
      'function F(stuck) while stuck do end return 1 end',
      SMALL,
    );
    const call = (stuck: boolean): unknown =>
      script.call({ fn: 'F', args: [stuck], results: 1, now: NOW });

    expect(() => call(true)).toThrow('takes too long');
    expect(call(false)).toEqual([1]);
  });

  test.each([
    ['nested too deeply', 'local t = {} for i = 1, 1000 do t = { t } end return t'],
    ['used twice', 'local t = {} t.t = t return t'],
    ['the number Infinity', 'return { n = 1 / 0 }'],
    ['the number NaN', 'return { n = 0 / 0 }'],
    ['neither a name nor a number', 'return { [true] = 1 }'],
    ['list with gaps', 'return { [1] = 1, [3] = 3 }'],
    ['list with gaps', 'return { [0] = 1 }'],
    ['list with gaps', 'return { [1.5] = 1 }'],
    ['both names and numbers', 'return { 1, a = 2 }'],
    ['a function', 'return { f = print }'],
  ])('a result with %s: %s', (message, body) => {
    expect(() => evaluate(body)).toThrow(message);
  });
});

describe('no call sees what another has done', () => {
  const twice = (body: string): unknown[] => {
    const { interpretStatus } = taught({
      statusReflection: `function ReflectStatus(obj) ${body} end`,
    });
    return [interpretStatus?.(widget({})), interpretStatus?.(widget({}))];
  };

  test.each<[name: string, body: string, answer: object]>([
    ['globals', 'n = (n or 0) + 1 return { n = n }', { n: 1 }],
    ['_G', '_G.n = (_G.n or 0) + 1 return { n = _G.n }', { n: 1 }],
    ['libraries', 'string.n = (string.n or 0) + 1 return { n = string.n }', { n: 1 }],
    [
      'functions of libraries',
      'local n = table.getn table.getn = function() return 9 end return { n = n({ 1 }) }',
      { n: 1 },
    ],
    [
      'the kube library',
      'local k = require("kube") k.n = (k.n or 0) + 1 return { n = k.n }',
      { n: 1 },
    ],
    ['methods of texts', 'string.upper = nil return { n = ("x"):upper() }', { n: 'X' }],
    ['the base library', 'local t = tostring tostring = nil return { n = t(1) }', { n: '1' }],
  ])('%s', (_name, body, answer) => {
    expect(twice(body)).toEqual([answer, answer]);
  });

  test('nor what another script has done', () => {
    const both = taught({
      statusReflection: 'shared = 1 function ReflectStatus() shared = 2 return { n = shared } end',
      healthInterpretation: 'function InterpretHealth() return shared == nil end',
    });
    both.interpretStatus?.(widget({}));

    expect(both.interpretHealth?.(widget({}))).toBe(true);
  });
});

test('nothing that a script does to its argument reaches the object', () => {
  const object = Object.freeze(widget(Object.freeze({ list: Object.freeze([1]) })));
  const { reviseReplica } = taught({
    replicaRevision:
      'function ReviseReplica(obj, n) obj.spec.list[1] = n obj.spec.kind = "x" return obj end',
  });

  expect(reviseReplica?.(object, 2)).toMatchObject({ spec: { list: [2], kind: 'x' } });
  expect(object).toEqual(widget({ list: [1] }));
});

test.each<[keyof Interpreter & string, string]>([
  ['interpretHealth', 'return "yes"'],
  ['interpretHealth', 'return nil'],
  ['interpretReplica', 'return "3"'],
  ['interpretReplica', 'return 3, "cpu"'],
  ['interpretComponent', 'return 1'],
  ['interpretComponent', 'return { name = "x" }'],
  ['reviseReplica', 'return nil'],
  ['reviseReplica', 'return { 1 }'],
  ['interpretStatus', 'return nil'],
  ['interpretStatus', 'return "x"'],
  ['aggregateStatus', 'return true'],
  ['interpretDependency', 'return nil'],
  ['interpretDependency', 'return { { kind = "Secret", name = "x" } }'],
  ['interpretDependency', 'return { { apiVersion = "v1", kind = "Secret" } }'],
])('%s with the body "%s" is an error that names the rule', (operation, body) => {
  const interpreter = taught({
    replicaResource: `function GetReplicas() ${body} end`,
    componentResource: `function GetComponents() ${body} end`,
    replicaRevision: `function ReviseReplica() ${body} end`,
    statusReflection: `function ReflectStatus() ${body} end`,
    statusAggregation: `function AggregateStatus() ${body} end`,
    healthInterpretation: `function InterpretHealth() ${body} end`,
    dependencyInterpretation: `function GetDependencies() ${body} end`,
  });
  const ask = interpreter[operation] as (...args: unknown[]) => unknown;
  const caught = ((): unknown => {
    try {
      return ask(widget({}), 1);
    } catch (error) {
      return error;
    }
  })();

  expect(InterpretError.is(caught)).toBe(true);
  expect((caught as InterpretError).rule?.customization?.name).toBe('widgets');
});
