/** The part of fengari that we use; it ships no types. */
declare module 'fengari' {
  export interface LuaState {
    readonly _luaState: unique symbol;
  }
  export type LuaString = Uint8Array;
  export type LuaFunction = (state: LuaState) => number;

  export const lua: {
    readonly LUA_OK: 0;
    readonly LUA_TNIL: 0;
    readonly LUA_TBOOLEAN: 1;
    readonly LUA_TNUMBER: 3;
    readonly LUA_TSTRING: 4;
    readonly LUA_TTABLE: 5;
    readonly LUA_TFUNCTION: 6;
    readonly LUA_MASKCOUNT: number;
    readonly lua_absindex: (L: LuaState, index: number) => number;
    readonly lua_checkstack: (L: LuaState, slots: number) => boolean;
    readonly lua_createtable: (L: LuaState, items: number, members: number) => void;
    readonly lua_getfield: (L: LuaState, index: number, name: LuaString) => number;
    readonly lua_getmetatable: (L: LuaState, index: number) => boolean;
    readonly lua_gettop: (L: LuaState) => number;
    readonly lua_next: (L: LuaState, index: number) => number;
    readonly lua_pcall: (L: LuaState, args: number, results: number, handler: number) => number;
    readonly lua_pop: (L: LuaState, count: number) => void;
    readonly lua_pushboolean: (L: LuaState, value: boolean) => void;
    readonly lua_pushcfunction: (L: LuaState, fn: LuaFunction) => void;
    readonly lua_pushnil: (L: LuaState) => void;
    readonly lua_pushnumber: (L: LuaState, value: number) => void;
    readonly lua_pushstring: (L: LuaState, value: LuaString) => void;
    readonly lua_pushvalue: (L: LuaState, index: number) => void;
    readonly lua_rawlen: (L: LuaState, index: number) => number;
    readonly lua_rawset: (L: LuaState, index: number) => void;
    readonly lua_rawseti: (L: LuaState, index: number, n: number) => void;
    readonly lua_remove: (L: LuaState, index: number) => void;
    readonly lua_setfield: (L: LuaState, index: number, name: LuaString) => void;
    readonly lua_sethook: (
      L: LuaState,
      hook: (L: LuaState) => void,
      mask: number,
      count: number,
    ) => void;
    readonly lua_setupvalue: (L: LuaState, index: number, n: number) => LuaString | null;
    readonly lua_setmetatable: (L: LuaState, index: number) => void;
    readonly lua_settop: (L: LuaState, index: number) => void;
    readonly lua_toboolean: (L: LuaState, index: number) => boolean;
    readonly lua_tocfunction: (L: LuaState, index: number) => LuaFunction | null;
    readonly lua_tonumber: (L: LuaState, index: number) => number;
    readonly lua_topointer: (L: LuaState, index: number) => object;
    /** A function that pushes the value again. */
    readonly lua_toproxy: (L: LuaState, index: number) => (L: LuaState) => void;
    readonly lua_tostring: (L: LuaState, index: number) => LuaString | null;
    readonly lua_type: (L: LuaState, index: number) => number;
    readonly lua_typename: (L: LuaState, type: number) => LuaString;
  };

  export const lauxlib: {
    readonly luaL_checknumber: (L: LuaState, argument: number) => number;
    readonly luaL_checkstring: (L: LuaState, argument: number) => LuaString;
    readonly luaL_error: (L: LuaState, message: LuaString) => never;
    readonly luaL_loadbufferx: (
      L: LuaState,
      text: LuaString,
      size: number,
      name: LuaString,
      mode: LuaString,
    ) => number;
    readonly luaL_newstate: () => LuaState;
    readonly luaL_optnumber: (L: LuaState, argument: number, absent: number) => number;
    readonly luaL_where: (L: LuaState, level: number) => void;
  };

  export const lualib: {
    readonly luaopen_base: LuaFunction;
    readonly luaopen_math: LuaFunction;
    readonly luaopen_string: LuaFunction;
    readonly luaopen_table: LuaFunction;
  };
}

declare module 'fengari/src/defs.js';

declare module 'fengari/src/luaconf.js' {
  const luaconf: {
    LUA_COMPAT_FLOATSTRING: boolean;
    LUAI_MAXSTACK: number;
    lua_number2str: (value: number) => string;
  };
  export default luaconf;
}

declare module 'fengari/src/lstring.js' {
  import type { LuaState } from 'fengari';
  interface TString {
    hash: string | null;
    readonly realstring: Uint8Array;
  }
  const lstring: {
    luaS_bless: (L: LuaState, bytes: Uint8Array) => TString;
    luaS_new: (L: LuaState, bytes: Uint8Array) => TString;
    luaS_eqlngstr: (a: TString, b: TString) => boolean;
    luaS_hash: (bytes: Uint8Array) => string;
    luaS_hashlongstr: (text: TString) => string;
  };
  export default lstring;
}

declare module 'fengari/src/llex.js' {
  interface Lexer {
    readonly t: { readonly token: number };
  }
  const llex: {
    readonly RESERVED: Readonly<Record<'TK_IDIV' | 'TK_SHL' | 'TK_SHR', number>>;
    luaX_next: (lexer: Lexer) => void;
    readonly luaX_syntaxerror: (lexer: Lexer, message: Uint8Array) => never;
  };
  export default llex;
}

declare module 'fengari/src/lapi.js' {
  import type { LuaState } from 'fengari';
  const lapi: Record<'lua_pushinteger' | 'lua_pushnumber', (L: LuaState, value: number) => void>;
  export default lapi;
}

declare module 'fengari/src/lobject.js' {
  interface TaggedValue {
    readonly value: unknown;
    setfltvalue(value: number): void;
  }
  const lobject: {
    luaO_str2num: (text: Uint8Array, target: TaggedValue) => number;
    readonly TValue: {
      readonly prototype: Record<'setivalue' | 'setfltvalue', (value: number) => void>;
    };
  };
  export default lobject;
}

declare module 'fengari/src/ltable.js' {
  interface Machine {
    readonly stack: { readonly value: unknown; setfltvalue(value: number): void }[];
  }
  interface Table {
    readonly strong: ReadonlyMap<unknown, unknown>;
  }
  const ltable: {
    luaH_getn: (table: Table) => number;
    luaH_new: (L: Machine) => Table;
    luaH_next: (L: Machine, table: Table, keyIndex: number) => boolean;
    luaH_setfrom: (L: Machine, table: Table, key: unknown, value: unknown) => void;
    luaH_setint: (table: Table, key: number, value: unknown) => void;
  };
  export default ltable;
}
