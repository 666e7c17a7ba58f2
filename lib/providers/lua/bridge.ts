import { fromUtf8, utf8 } from './bytes.js';
import type { LuaState } from './vm.js';
import { lua } from './vm.js';

/** Stands for an empty table, which may be an object or a list. */
export const EMPTY = Symbol('empty table');

/** Levels of nesting that data may have; deeper ones would exhaust the stack. */
const DEPTH_LIMIT = 500;

const TOO_DEEP = 'data that is nested too deeply';

/** Push plain data: objects and lists become tables, null and undefined nil (so their members are gone), numbers doubles. */
export function pushValue(L: LuaState, value: unknown, depth = 0): void {
  switch (typeof value) {
    case 'string':
      return lua.lua_pushstring(L, fromUtf8(value));
    case 'number':
    case 'bigint':
      return lua.lua_pushnumber(L, Number(value));
    case 'boolean':
      return lua.lua_pushboolean(L, value);
    case 'object':
      return value === null ? lua.lua_pushnil(L) : pushTable(L, value, depth + 1);
    default:
      return lua.lua_pushnil(L);
  }
}

/**
 * Read a value as plain data; empty tables become {@link EMPTY}, bytes that are no UTF-8 U+FFFD.
 *
 * @throws Error, saying what was found, for what has no place in JSON: functions, NaN, lists with gaps, tables with both
 * kinds of keys, tables used twice
 */
export function readValue(
  L: LuaState,
  index: number,
  seen = new Set<object>(),
  depth = 0,
): unknown {
  switch (lua.lua_type(L, index)) {
    case lua.LUA_TNIL:
      return undefined;
    case lua.LUA_TBOOLEAN:
      return lua.lua_toboolean(L, index);
    case lua.LUA_TNUMBER:
      return finite(lua.lua_tonumber(L, index));
    case lua.LUA_TSTRING:
      return textAt(L, index);
    case lua.LUA_TTABLE:
      return readTable(L, lua.lua_absindex(L, index), seen, depth + 1);
    default:
      throw new Error('a function');
  }
}

function pushTable(L: LuaState, value: object, depth: number): void {
  reserve(L, depth);
  if (Array.isArray(value)) {
    lua.lua_createtable(L, value.length, 0);
    value.forEach((item, position) => {
      pushValue(L, item, depth);
      lua.lua_rawseti(L, -2, position + 1);
    });
    return;
  }
  lua.lua_createtable(L, 0, 0);
  for (const [key, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue;
    lua.lua_pushstring(L, fromUtf8(key));
    pushValue(L, member, depth);
    lua.lua_rawset(L, -3);
  }
}

function readTable(L: LuaState, index: number, seen: Set<object>, depth: number): unknown {
  reserve(L, depth);
  const identity = lua.lua_topointer(L, index);
  if (seen.has(identity)) throw new Error('a table that is used twice');
  seen.add(identity);

  const items = new Map<number, unknown>();
  const members: [string, unknown][] = [];
  lua.lua_pushnil(L);
  while (lua.lua_next(L, index)) {
    const value = readValue(L, -1, seen, depth);
    const keyType = lua.lua_type(L, -2);
    if (keyType === lua.LUA_TNUMBER) items.set(lua.lua_tonumber(L, -2), value);
    else if (keyType === lua.LUA_TSTRING) members.push([textAt(L, -2), value]);
    else throw new Error('a table with a key that is neither a name nor a number');
    lua.lua_pop(L, 1);
  }
  if (items.size > 0 && members.length > 0)
    throw new Error('a table with both names and numbers as keys');
  if (items.size > 0) return toList(items);
  return members.length === 0 ? EMPTY : Object.fromEntries(members);
}

function toList(items: ReadonlyMap<number, unknown>): unknown[] {
  return Array.from({ length: items.size }, (_, position) => {
    if (!items.has(position + 1)) throw new Error('a list with gaps');
    return items.get(position + 1);
  });
}

function textAt(L: LuaState, index: number): string {
  return utf8(lua.lua_tostring(L, index) ?? new Uint8Array());
}

/** JSON knows neither infinity nor a negative zero. */
function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Error(`the number ${value}`);
  return value + 0;
}

/** Room on the stack for one more level of nesting. */
function reserve(L: LuaState, depth: number): void {
  if (depth > DEPTH_LIMIT || !lua.lua_checkstack(L, 8)) throw new Error(TOO_DEEP);
}
