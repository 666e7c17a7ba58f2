import { describe, expect, test } from '@jest/globals';
import { newMachine } from '../../../lib/providers/lua/machine.js';
import { LIMITS } from '../../../lib/providers/lua/meter.js';
import { compileScript, ScriptError } from '../../../lib/providers/lua/script.js';
import { NOW } from './evaluate.js';

const SMALL = { ...LIMITS, steps: 200_000, textBytes: 8_000_000, tables: 10_000 };
/** Milliseconds that any one script may take here, on a busy machine. */
const BOUND = 5_000;

const machine = newMachine();

/** The one sentence that a script ends with. */
function complaintOf(text: string): string {
  const start = performance.now();
  try {
    const answer = compileScript(machine, text, SMALL).call({
      fn: 'F',
      args: [{ x: 1 }],
      results: 1,
      now: NOW,
    });
    return `answers ${JSON.stringify(answer)}`;
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    return error.message;
  } finally {
    expect(performance.now() - start).toBeLessThan(BOUND);
  }
}

const complaint = (body: string): string => complaintOf(`function F(obj) ${body} end`);

/** A text of 2^n characters, and lists of as many. */
const DOUBLED = (char: string, n: number): string =>
  `local s = "${char}" for i = 1, ${n} do s = s .. s end`;

describe('what is not there', () => {
  test.each([
    ['string.rep', 'return ("x"):rep(1e9)'],
    ['string.gsub', 'return ("x"):gsub(".", "%0%0")'],
    ['string.dump', 'return string.dump(print)'],
    ['setmetatable', 'return setmetatable({}, { __gc = function() while true do end end })'],
    ['getmetatable', 'getmetatable("").__index = nil'],
    ['rawset', 'rawset(_G, "x", 1)'],
    ['newproxy', 'return newproxy(true)'],
    ['load', 'return load("return 1")()'],
    ['loadstring', 'return loadstring("while true do end")()'],
    ['collectgarbage', 'collectgarbage("stop")'],
    ['setfenv', 'setfenv(1, {})'],
  ])('%s', (_name, body) => {
    expect(complaint(body)).toMatch(/disabled|not available|attempt to call/);
  });

  test.each([
    ['coroutines', 'return coroutine.wrap(function() while true do end end)()'],
    ['debug', 'debug.sethook()'],
    ['files', 'return io.open("/etc/passwd")'],
    ['processes', 'os.execute("true")'],
    ['the environment', 'return os.getenv("HOME")'],
    ['UTF-8', 'return utf8.char(1)'],
    ['bits', 'return bit32.band(1, 1)'],
    ['JavaScript', 'return js.global'],
  ])('%s', (_name, body) => {
    expect(complaint(body)).toMatch(/attempt to (index|call) a nil value|attempt to index global/);
  });

  test.each(['os', 'io', 'fengari', '../script', 'js', ''])('require("%s")', (name) => {
    expect(complaint(`return require("${name}").x.y`)).toMatch(/module|attempt to index|not found/);
  });
});

describe('library functions that would work for ever', () => {
  test.each<[name: string, body: string]>([
    ['joining a range', 'return table.concat({}, "x", 1, 1e9)'],
    ['joining backwards without end', 'return table.concat({ "a" }, "x", -1e9, 1)'],
    ['unpacking a range', 'return unpack({}, 1, 1e9)'],
    ['unpacking from below', 'return unpack({}, -1e9, 1)'],
    ['inserting far away', 'local t = {} table.insert(t, 2 ^ 53, 1)'],
    ['removing far away', 'return table.remove({ 1 }, 1e15)'],
    [
      'sorting without an order',
      'local t = {} for i = 1, 900 do t[i] = i % 7 end table.sort(t, function() return true end)',
    ],
    ['sorting by an error', 'table.sort({ 3, 2, 1 }, function() error({ "x" }) end)'],
    ['counting to infinity', 'for i = 1, 1 / 0 do end'],
    ['counting by nothing', 'for i = 1, 2, 0 do end'],
    ['counting by a tiny step', 'for i = 1, 2, 1e-300 do end'],
    ['a random number of everything', 'return math.random(-1e308, 1e308)'],
    ['selecting from far behind', 'return select(-1e9, 1)'],
    ['selecting out of reach', 'return select(1e300, 1)'],
    ['formatting with all widths', `${DOUBLED('%99.99f', 12)} return string.format(s, 1)`],
    ['formatting a format', `${DOUBLED('%', 18)} return string.format(s)`],
    ['dates by a long format', `${DOUBLED('%c', 16)} return os.date(s .. s)`],
    ['dates out of time', 'return os.date("%c", 1e300)'],
    ['times out of time', 'return os.time({ year = 1e300, month = 1, day = 1 })'],
    ['quantities with large exponents', 'return require("kube").resourceAdd("1e999999999", "1")'],
    ['quantities with small exponents', 'return require("kube").resourceAdd("1e-999999999", "1")'],
    ['quantities without end', `${DOUBLED('9', 20)} return require("kube").resourceAdd(s, "1")`],
    ['a number without end', `${DOUBLED('9', 21)} return tonumber(s .. "x") + 1`],
    ['patterns: backtracking', `${DOUBLED('a', 12)} return s:find("a*a*a*a*a*a*a*b")`],
    ['patterns: nested balance', `${DOUBLED('(', 14)} return s:find("%b()%b()%b()")`],
    ['patterns: back references', `${DOUBLED('a', 12)} return s:find("(.-)(.-)(.-)%1%2%3b")`],
    ['patterns: frontiers', `${DOUBLED('a b', 10)} return s:find(".-%f[%w].-%f[%W].-%f[%w].-c")`],
    ['patterns: a long pattern', `${DOUBLED('.-', 14)} return ("a"):find(s .. "b")`],
    ['patterns: a long class', `${DOUBLED('a', 16)} return s:find("[" .. s .. "]-b")`],
    [
      'patterns: an iterator that does not move',
      'for _ in ("aaa"):gmatch("") do while true do end end',
    ],
    ['a pair that is its own', 'local t = {} for k in pairs(t) do end t[1] = t return t'],
    ['changing what is walked through', 'local t = { 1 } for k in pairs(t) do t[k + 1] = 1 end'],
    [
      'lengths of lists with holes',
      'local t = {} t[2 ^ 52] = 1 for i = 1, 1e9 do local n = #t end',
    ],
  ])('%s', (_name, body) => {
    const said = complaint(body);

    if (!said.startsWith('answers')) expect(said.length).toBeLessThan(300);
    expect(said).not.toContain('beyond what the Lua machine can do');
  });
});

describe('depth', () => {
  test.each<[name: string, body: string]>([
    ['recursion', 'local function f(n) return 1 + f(n + 1) end return f(0)'],
    [
      'recursion through pcall',
      'local function f() local ok, e = pcall(f) return e end return f()',
    ],
    ['recursion through sort', 'local function f() table.sort({ 2, 1 }, f) end f()'],
    ['recursion through a handler', 'xpcall(error, function(e) error(e) end)'],
    ['methods of texts', 'local function f(s) return s:upper():lower() .. f(s) end return f("x")'],
    ['a table in a table in a table', 'local t = {} for i = 1, 9000 do t = { t } end return t'],
  ])('%s', (_name, body) => {
    expect(complaint(body).length).toBeLessThan(300);
  });

  test.each<[name: string, script: string]>([
    ['parentheses', `function F() return ${'('.repeat(5000)}1${')'.repeat(5000)} end`],
    ['tables', `function F() return ${'{'.repeat(5000)}${'}'.repeat(5000)} end`],
    ['functions', `${'function F() '.repeat(2000)}${'end '.repeat(2000)}`],
    ['blocks', `function F() ${'do '.repeat(5000)}${'end '.repeat(5000)}end`],
    ['signs', `function F() return ${'- '.repeat(20_000)}1 end`],
    ['powers', `function F() return ${'2^'.repeat(20_000)}1 end`],
    ['calls', `function F() return F${'()'.repeat(20_000)} end`],
    ['joins', `function F() return "a" ${'.. "a" '.repeat(20_000)} end`],
    ['locals', `function F() ${'local a '.repeat(300)} end`],
    ['brackets', `function F() return [${'='.repeat(50_000)}[x]${'='.repeat(50_000)}] end`],
    ['a comment without end', `--[${'='.repeat(1000)}[ ${'x'.repeat(100_000)}`],
    ['a text without end', `function F() return "${'\\065'.repeat(100_000)}`],
  ])('of %s in the script itself', (_name, script) => {
    expect(complaintOf(script).length).toBeLessThan(300);
  });
});

describe('errors that are no text', () => {
  test.each([
    ['a table', 'error({ code = 1 })', 'an error that is a table'],
    ['a function', 'error(print)', 'an error that is a function'],
    ['a flag', 'error(true)', 'an error that is a boolean'],
    ['a number', 'error(42)', 'an error that is a number'],
    ['bytes', 'error("\\255\\254\\0")', ''],
    ['a long text', `${DOUBLED('e', 18)} error(s)`, '…'],
    ['many lines', 'error("a\\nb\\nc")', 'a'],
  ])('%s', (_name, body, message) => {
    const said = complaint(body);

    expect(said).toContain(message);
    expect(said).not.toContain('\n');
    expect(said.length).toBeLessThan(300);
  });
});

test('after all of that the machine still answers', () => {
  expect(complaint('return { obj.x, ("x"):upper(), #"abc" }')).toBe('answers [[1,"X",3]]');
});
