import { fromLatin1, latin1 } from './bytes.js';
import type { FormatValue } from './format.js';
import { format } from './format.js';
import { pay } from './meter.js';
import type { Natives } from './native.js';
import { addNatives, disabled, paid, removeMembers } from './native.js';
import type { Capture, Match } from './find-match.js';
import { findMatch } from './find-match.js';
import type { Pattern } from './pattern.js';
import { compilePattern } from './pattern.js';
import { textOf } from './text-of.js';
import type { LuaState } from './vm.js';
import { lauxlib, lua, lualib } from './vm.js';

/** Longest text that the functions take (lifecycle reference §4.5). */
const TEXT_LIMIT = 1_000_000;

/** Bytes of a text that cost as much as one instruction. */
const BYTES_PER_STEP = 16;

/** Leaves the library on the stack: Lua 5.1's, without what Karmada takes away, and with matching that is paid for. */
export function openStringLibrary(L: LuaState): number {
  lualib.luaopen_string(L);
  const plain = paid(L, ['byte', 'char', 'len', 'lower', 'reverse', 'sub', 'upper'], payForText);
  addNatives(L, {
    ...plain,
    ...MATCHING,
    ...disabled(['dump', 'gsub', 'rep'], 'string.'),
  });
  removeMembers(L, ['pack', 'packsize', 'unpack']);
  return 1;
}

const MATCHING: Natives = {
  find: (L) => {
    const text = textArgument(L, 1);
    const pattern = textArgument(L, 2);
    const from = startOf(L, text);
    if (lua.lua_toboolean(L, 4)) return pushPlace(L, findPlain(text, pattern, from));
    const match = findMatch(compiled(pattern), text, from, pay);
    const count = pushPlace(L, match);
    return match === undefined ? count : count + pushCaptures(L, text, match.captures);
  },
  match: (L) => {
    const text = textArgument(L, 1);
    const pattern = compiled(textArgument(L, 2));
    return pushMatch(L, text, findMatch(pattern, text, startOf(L, text), pay));
  },
  gmatch: (L) => pushIterator(L),
  gfind: (L) => pushIterator(L),
  format: (L) => {
    const pattern = latin1(textArgument(L, 1));
    const count = lua.lua_gettop(L) - 1;
    const values = Array.from({ length: count }, (_, i) => formatValue(L, i + 2));
    lua.lua_pushstring(L, fromLatin1(format(pattern, values)));
    return 1;
  },
};

function pushIterator(L: LuaState): number {
  const text = textArgument(L, 1);
  const pattern = compiled(textArgument(L, 2));
  let from = 0;
  lua.lua_pushcfunction(L, (state) => {
    const match = from > text.length ? undefined : findMatch(pattern, text, from, pay);
    if (match !== undefined) from = match.end > match.start ? match.end : match.end + 1;
    return pushMatch(state, text, match);
  });
  return 1;
}

function pushMatch(L: LuaState, text: Uint8Array, match: Match | undefined): number {
  if (match === undefined) {
    lua.lua_pushnil(L);
    return 1;
  }
  const { start, end, captures } = match;
  return pushCaptures(L, text, captures.length === 0 ? [[start, end]] : captures);
}

function pushPlace(
  L: LuaState,
  place: { readonly start: number; readonly end: number } | undefined,
): number {
  if (place === undefined) {
    lua.lua_pushnil(L);
    return 1;
  }
  lua.lua_pushnumber(L, place.start + 1);
  lua.lua_pushnumber(L, place.end);
  return 2;
}

function pushCaptures(L: LuaState, text: Uint8Array, captures: readonly Capture[]): number {
  lua.lua_checkstack(L, captures.length);
  for (const capture of captures) {
    if (typeof capture === 'number') lua.lua_pushnumber(L, capture);
    else lua.lua_pushstring(L, text.slice(...capture));
  }
  return captures.length;
}

function findPlain(
  text: Uint8Array,
  wanted: Uint8Array,
  from: number,
): { readonly start: number; readonly end: number } | undefined {
  const start = Buffer.from(text.buffer, text.byteOffset, text.length).indexOf(wanted, from);
  return start < 0 ? undefined : { start, end: start + wanted.length };
}

/** The third argument: where to start, from 1; counted from the end when negative. */
function startOf(L: LuaState, text: Uint8Array): number {
  const start = Math.trunc(lauxlib.luaL_optnumber(L, 3, 1));
  const from = start > 0 ? start - 1 : start < 0 ? text.length + start : 0;
  return Math.min(Math.max(from, 0), text.length);
}

function formatValue(L: LuaState, index: number): FormatValue {
  const type = lua.lua_type(L, index);
  if (type === lua.LUA_TNUMBER) return lua.lua_tonumber(L, index);
  if (type === lua.LUA_TSTRING) return latin1(textArgument(L, index));
  return textOf(L, index);
}

function textArgument(L: LuaState, position: number): Uint8Array {
  const text = lauxlib.luaL_checkstring(L, position);
  if (text.length > TEXT_LIMIT) throw new Error('the text is too long');
  pay(Math.ceil(text.length / BYTES_PER_STEP));
  return text;
}

function payForText(L: LuaState): void {
  if (lua.lua_type(L, 1) === lua.LUA_TSTRING) textArgument(L, 1);
}

/** Patterns are few and used again and again. */
const COMPILED = new Map<string, Pattern>();

function compiled(bytes: Uint8Array): Pattern {
  const key = latin1(bytes);
  const known = COMPILED.get(key);
  if (known !== undefined) return known;
  pay(bytes.length * 10);
  const pattern = compilePattern(bytes);
  if (COMPILED.size < 200 && bytes.length < 200) COMPILED.set(key, pattern);
  return pattern;
}
