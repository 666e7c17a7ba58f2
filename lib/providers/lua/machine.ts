import { fromUtf8, utf8 } from './bytes.js';
import { openKubeLibrary } from './kube-library.js';
import type { Moment } from './libraries.js';
import {
  openBaseLibrary,
  openClock,
  openMathLibrary,
  openTableLibrary,
  takeUnpack,
} from './libraries.js';
import { addNatives } from './native.js';
import { openStringLibrary } from './string-library.js';
import type { LuaState } from './vm.js';
import { lauxlib, lua } from './vm.js';

/** A Lua machine with the libraries that scripts have; many scripts share one, and see nothing of each other. */
export interface Machine {
  readonly L: LuaState;
  readonly moment: Moment;
  /** Push a global table as a script finds it: fresh, whatever others have done to theirs. */
  readonly pushGlobals: () => void;
}

type Push = (L: LuaState) => void;

/**
 * A machine with Lua 5.1's base, table, math and string libraries, `os.time` and `os.date`, and `require("kube")`. No
 * files, no debugging, no coroutines, no other modules. Source: lifecycle reference §4.5.
 */
export function newMachine(): Machine {
  const L = lauxlib.luaL_newstate();
  const moment: Moment = { now: '1970-01-01T00:00:00Z', seed: 1 };
  openBaseLibrary(L);
  openTableLibrary(L);
  takeUnpack(L);
  lua.lua_setfield(L, -3, fromUtf8('unpack'));
  const table = view(L);
  openStringLibrary(L);
  const string = view(L);
  openMathLibrary(L, moment);
  const math = view(L);
  openClock(L, moment);
  const os = view(L);
  openKubeLibrary(L);
  const kube = view(L);
  const base = view(L);
  const libraries = Object.entries({ math, os, string, table });
  const pushGlobals = (): void => {
    base(L);
    lua.lua_pushvalue(L, -1);
    lua.lua_setfield(L, -2, fromUtf8('_G'));
    for (const [name, push] of libraries) {
      push(L);
      lua.lua_setfield(L, -2, fromUtf8(name));
    }
    addNatives(L, { require: (state) => requireModule(state, kube) });
  };
  return { L, moment, pushGlobals };
}

/**
 * Takes the table from the top of the stack; the result pushes an empty table that falls back to it. What a script writes
 * to a library stays in its own table, and scripts have no way to get behind it.
 */
function view(L: LuaState): Push {
  lua.lua_createtable(L, 0, 1);
  lua.lua_pushvalue(L, -2);
  lua.lua_setfield(L, -2, fromUtf8('__index'));
  const pushMetatable = lua.lua_toproxy(L, -1);
  lua.lua_pop(L, 2);
  return (state) => {
    lua.lua_createtable(state, 0, 0);
    pushMetatable(state);
    lua.lua_setmetatable(state, -2);
  };
}

function requireModule(L: LuaState, kube: Push): number {
  const name = utf8(lauxlib.luaL_checkstring(L, 1));
  if (name !== 'kube') throw new Error(`module "${name}" is not available`);
  kube(L);
  return 1;
}
