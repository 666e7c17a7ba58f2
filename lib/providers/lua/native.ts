import { fromUtf8 } from './bytes.js';
import { LimitError } from './meter.js';
import type { LuaFunction, LuaState } from './vm.js';
import { lauxlib, lua } from './vm.js';

/** Functions of ours by the name that scripts call them by. Each works on the stack and returns how many results it left. */
export type Natives = Readonly<Record<string, LuaFunction>>;

/** Add functions to the table on top of the stack. An `Error` that one throws becomes an error of the script. */
export function addNatives(L: LuaState, natives: Natives): void {
  for (const [name, fn] of Object.entries(natives)) {
    lua.lua_pushcfunction(L, guarded(name, fn));
    lua.lua_setfield(L, -2, fromUtf8(name));
  }
}

/** Take members away from the table on top of the stack. */
export function removeMembers(L: LuaState, names: readonly string[]): void {
  for (const name of names) {
    lua.lua_pushnil(L);
    lua.lua_setfield(L, -2, fromUtf8(name));
  }
}

/** Functions that only say that they are not available. */
export function disabled(names: readonly string[], prefix = ''): Natives {
  return Object.fromEntries(
    names.map((name): [string, LuaFunction] => [
      name,
      (L) => raise(L, `${prefix}${name} is not available`),
    ]),
  );
}

/** The functions of that name in the table on top of the stack, each paying before it works, and for its results. */
export function paid(
  L: LuaState,
  names: readonly string[],
  pay: (L: LuaState) => void,
  payFor: (L: LuaState, results: number) => void = () => undefined,
): Natives {
  return Object.fromEntries(
    names.map((name): [string, LuaFunction] => {
      lua.lua_getfield(L, -1, fromUtf8(name));
      const original = lua.lua_tocfunction(L, -1);
      lua.lua_pop(L, 1);
      if (original === null) throw new TypeError(`fengari has no function ${name}`);
      const work: LuaFunction = (state) => {
        pay(state);
        const results = original(state);
        payFor(state, results);
        return results;
      };
      return [name, work];
    }),
  );
}

/** An error of the script, at the line that called. What the machine is given is a format. */
function raise(L: LuaState, message: string): never {
  return lauxlib.luaL_error(L, fromUtf8(message.replaceAll('%', '%%')));
}

function guarded(name: string, fn: LuaFunction): LuaFunction {
  return (L) => {
    let message: string;
    try {
      return fn(L);
    } catch (error) {
      // The machine's own errors are no Errors, and a limit must not be caught.
      if (!(error instanceof Error) || error instanceof LimitError) throw error;
      message = `${name}: ${error.message}`;
    }
    return raise(L, message);
  };
}
