import { formatDate, secondsOf } from './date.js';
import { fromLatin1, fromUtf8, latin1, utf8 } from './bytes.js';
import { pushValue, readValue } from './bridge.js';
import { pay } from './meter.js';
import { addNatives, disabled, paid, removeMembers } from './native.js';
import { NUMERAL_LIMIT } from './number-text.js';
import { textOf } from './text-of.js';
import type { LuaState } from './vm.js';
import { lauxlib, lua, lualib } from './vm.js';

/** What changes from call to call: time and chance stand still within one, so that answers depend on arguments alone. */
export interface Moment {
  /** RFC 3339. */
  now: string;
  /** State of the random numbers. */
  seed: number;
}

/** Functions of the base library that scripts may not call (lifecycle reference §4.5). */
const DISABLED = [
  'collectgarbage',
  'dofile',
  'getfenv',
  'getmetatable',
  'load',
  'loadfile',
  'loadstring',
  'module',
  'newproxy',
  'rawequal',
  'rawget',
  'rawset',
  'setfenv',
  'setmetatable',
];

/** Steps that a protected call costs, and one more that ends in an error: measured against a loop that does nothing. */
const PROTECTED_STEPS = 10;
const CAUGHT_STEPS = 50;

/** Steps that moving one member of a list costs. */
const SHIFT_STEPS = 5;

/** Leaves Lua 5.1's base library on the stack, without what Karmada takes away; `print` prints nowhere. */
export function openBaseLibrary(L: LuaState): number {
  lualib.luaopen_base(L);
  addNatives(L, {
    ...disabled(DISABLED),
    ...paid(
      L,
      ['pcall', 'xpcall'],
      () => pay(PROTECTED_STEPS),
      (state, results) => {
        if (!lua.lua_toboolean(state, -results)) pay(CAUGHT_STEPS);
      },
    ),
    print: () => 0,
    tonumber: (state) => toNumber(state),
    tostring: (state) => {
      lua.lua_pushstring(state, fromLatin1(textOf(state, 1)));
      return 1;
    },
  });
  removeMembers(L, ['rawlen', '_G']);
  lua.lua_pushstring(L, fromUtf8('Lua 5.1'));
  lua.lua_setfield(L, -2, fromUtf8('_VERSION'));
  return 1;
}

/** Leaves Lua 5.1's table library on the stack; functions pay for the members that they look at or move. */
export function openTableLibrary(L: LuaState): number {
  lualib.luaopen_table(L);
  const length = (state: LuaState): number =>
    lua.lua_type(state, 1) === lua.LUA_TTABLE ? lua.lua_rawlen(state, 1) : 0;
  addNatives(L, {
    ...paid(L, ['concat'], (state) => pay(length(state))),
    ...paid(L, ['insert'], (state) => {
      if (lua.lua_gettop(state) > 2) payForShift(state, length(state));
    }),
    ...paid(L, ['remove'], (state) => {
      if (lua.lua_gettop(state) > 1) payForShift(state, length(state));
    }),
    ...paid(L, ['sort'], (state) => {
      const count = length(state);
      pay(3 * count * Math.ceil(Math.log2(count + 1)));
    }),
    getn: (state) => {
      lua.lua_pushnumber(state, length(state));
      return 1;
    },
    maxn: (state) => {
      let max = 0;
      lua.lua_settop(state, 1);
      lua.lua_pushnil(state);
      while (lua.lua_next(state, 1)) {
        pay(1);
        lua.lua_pop(state, 1);
        if (lua.lua_type(state, -1) === lua.LUA_TNUMBER)
          max = Math.max(max, lua.lua_tonumber(state, -1));
      }
      lua.lua_pushnumber(state, max);
      return 1;
    },
  });
  return 1;
}

/** For the members behind the position that is the second argument. */
function payForShift(L: LuaState, length: number): void {
  const given = lua.lua_tonumber(L, 2);
  // Neither a position before the list nor one that is no number may cost less than the whole.
  const position = given > 1 ? given : 1;
  pay(SHIFT_STEPS * Math.max(0, length - position + 1));
}

/** Takes `unpack`, which was global in Lua 5.1, out of the table library on top of the stack, and leaves it there. */
export function takeUnpack(L: LuaState): void {
  const { unpack } = paid(L, ['unpack'], (state) => {
    const first = lauxlib.luaL_optnumber(state, 2, 1);
    const last = lauxlib.luaL_optnumber(state, 3, lua.lua_rawlen(state, 1));
    pay(Math.max(0, last - first));
  });
  removeMembers(L, ['move', 'pack', 'unpack']);
  if (unpack !== undefined) lua.lua_pushcfunction(L, unpack);
}

/** Leaves Lua 5.1's mathematics on the stack. Random numbers are the same in every call. */
export function openMathLibrary(L: LuaState, moment: Moment): number {
  lualib.luaopen_math(L);
  const number = (state: LuaState, value: number): number => {
    lua.lua_pushnumber(state, value);
    return 1;
  };
  const argument = (state: LuaState, position: number): number =>
    lauxlib.luaL_checknumber(state, position);
  addNatives(L, {
    cosh: (state) => number(state, Math.cosh(argument(state, 1))),
    ldexp: (state) => number(state, argument(state, 1) * 2 ** argument(state, 2)),
    log10: (state) => number(state, Math.log10(argument(state, 1))),
    mod: (state) => number(state, argument(state, 1) % argument(state, 2)),
    pow: (state) => number(state, argument(state, 1) ** argument(state, 2)),
    random: (state) => {
      const first = lauxlib.luaL_optnumber(state, 1, 1);
      const low = lua.lua_gettop(state) > 1 ? first : 1;
      const high = lauxlib.luaL_optnumber(state, 2, first);
      const chance = nextChance(moment);
      if (lua.lua_gettop(state) === 0) return number(state, chance);
      if (low > high) throw new Error('the interval is empty');
      return number(state, Math.floor(low + chance * (high - low + 1)));
    },
    randomseed: () => 0,
    sinh: (state) => number(state, Math.sinh(argument(state, 1))),
    tanh: (state) => number(state, Math.tanh(argument(state, 1))),
  });
  removeMembers(L, ['maxinteger', 'mininteger', 'tointeger', 'type', 'ult']);
  return 1;
}

/** Leaves `time` and `date` on the stack: in UTC, always the moment's time. */
export function openClock(L: LuaState, moment: Moment): number {
  const now = (): number => Math.floor(Date.parse(moment.now) / 1000);
  lua.lua_createtable(L, 0, 2);
  addNatives(L, {
    time: (state) => {
      const isGiven = lua.lua_type(state, 1) === lua.LUA_TTABLE;
      lua.lua_pushnumber(state, isGiven ? secondsOf(readValue(state, 1)) : now());
      return 1;
    },
    date: (state) => {
      const text = lua.lua_tostring(state, 1);
      const seconds = lauxlib.luaL_optnumber(state, 2, now());
      pushValue(state, formatDate(text === null ? '%c' : utf8(text), seconds));
      return 1;
    },
  });
  return 1;
}

/** Park and Miller's generator. */
function nextChance(moment: Moment): number {
  moment.seed = (moment.seed * 48271) % 2147483647;
  return moment.seed / 2147483647;
}

function toNumber(L: LuaState): number {
  const base = lauxlib.luaL_optnumber(L, 2, 10);
  const type = lua.lua_type(L, 1);
  if (type === lua.LUA_TNUMBER) lua.lua_pushvalue(L, 1);
  else if (type !== lua.LUA_TSTRING) lua.lua_pushnil(L);
  else pushParsed(L, latin1(lua.lua_tostring(L, 1) ?? new Uint8Array()).trim(), base);
  return 1;
}

function pushParsed(L: LuaState, text: string, base: number): void {
  if (text.length > NUMERAL_LIMIT) return lua.lua_pushnil(L);
  const isNumeral =
    base === 10
      ? /^[+-]?(0x[\da-f]+|(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)$/i.test(text)
      : base >= 2 && base <= 36 && digitsOf(base).test(text);
  if (!isNumeral) return lua.lua_pushnil(L);
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replace(/^[+-]/, '');
  lua.lua_pushnumber(L, sign * (base === 10 ? Number(digits) : Number.parseInt(digits, base)));
}

function digitsOf(base: number): RegExp {
  const digits = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, base);
  return new RegExp(`^[+-]?${base === 16 ? '(0x)?' : ''}[${digits}]+$`, 'i');
}
