import { latin1 } from './bytes.js';
import { numberText } from './number-text.js';
import type { LuaState } from './vm.js';
import { lua } from './vm.js';

/** What `tostring` gives, one character per byte. Tables and functions show their type only: addresses differ by run. */
export function textOf(L: LuaState, index: number): string {
  switch (lua.lua_type(L, index)) {
    case lua.LUA_TNIL:
      return 'nil';
    case lua.LUA_TBOOLEAN:
      return String(lua.lua_toboolean(L, index));
    case lua.LUA_TNUMBER:
      return numberText(lua.lua_tonumber(L, index));
    case lua.LUA_TSTRING:
      return latin1(lua.lua_tostring(L, index) ?? new Uint8Array());
    default:
      return typeName(L, index);
  }
}

export function typeName(L: LuaState, index: number): string {
  return latin1(lua.lua_typename(L, lua.lua_type(L, index)));
}
