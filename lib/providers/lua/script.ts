import { fromUtf8, utf8 } from './bytes.js';
import { pushValue, readValue } from './bridge.js';
import type { Machine } from './machine.js';
import type { Limits } from './meter.js';
import { checkTime, exceededLimit, LIMITS, metered, pay } from './meter.js';
import { typeName } from './text-of.js';
import type { LuaState } from './vm.js';
import { lauxlib, lua } from './vm.js';

/** A script cannot be compiled, or fails. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  /** Of the script, from 1; absent where it is not known. */
  readonly line?: number;

  constructor(message: string, line?: number) {
    super(message);
    if (line !== undefined) this.line = line;
  }
}

export interface ScriptCall {
  /** The global function to call. */
  readonly fn: string;
  readonly args: readonly unknown[];
  /** How many values are wanted; missing ones are nil. */
  readonly results: number;
  /** RFC 3339: what the script's clock shows. */
  readonly now: string;
}

export interface Script {
  /**
   * Run the script in a fresh global environment and call one of its functions. The results are plain data, with `EMPTY`
   * for empty tables.
   *
   * @throws {@link ScriptError}
   */
  readonly call: (call: ScriptCall) => readonly unknown[];
  /** @throws {@link ScriptError} unless the script runs and defines that function */
  readonly check: (fn: string, now: string) => void;
}

/** Instructions between two looks at the meter. */
const STEP = 100;

/** After so many objects for which it went beyond a limit, a script is not run any more: the plan fails all the same. */
const PATIENCE = 3;

const CHUNK = '=script';

/**
 * Compile a script once, for many calls.
 *
 * @throws {@link ScriptError} for a syntax error
 */
export function compileScript(machine: Machine, text: string, limits: Limits = LIMITS): Script {
  const { L, moment } = machine;
  lua.lua_settop(L, 0);
  const source = fromUtf8(text);
  const status = lauxlib.luaL_loadbufferx(L, source, source.length, fromUtf8(CHUNK), fromUtf8('t'));
  if (status !== lua.LUA_OK) throw errorOnTop(L);
  const pushChunk = lua.lua_toproxy(L, -1);
  lua.lua_settop(L, 0);
  let runaways = 0;

  /** Leaves the globals at 1 and the function on top. */
  const define = (fn: string, now: string): void => {
    lua.lua_settop(L, 0);
    moment.now = now;
    moment.seed = 1;
    machine.pushGlobals();
    pushChunk(L);
    lua.lua_pushvalue(L, 1);
    lua.lua_setupvalue(L, -2, 1);
    protectedCall(L, 0, 0, limits);
    lua.lua_settop(L, 1);
    if (lua.lua_getfield(L, 1, fromUtf8(fn)) !== lua.LUA_TFUNCTION)
      throw new ScriptError(`the script does not define a function ${fn}`);
  };

  const call = ({ fn, args, results, now }: ScriptCall): readonly unknown[] => {
    define(fn, now);
    for (const arg of args) pushValue(L, arg);
    protectedCall(L, args.length, results, limits);
    return Array.from({ length: results }, (_, i) => read(L, fn, i + 2));
  };

  const patiently = <T>(run: () => T): T => {
    if (runaways >= PATIENCE)
      throw new ScriptError('the script went beyond its limits too often and is not run again');
    try {
      return run();
    } catch (error) {
      if (exceededLimit() !== undefined) runaways += 1;
      throw error instanceof ScriptError ? error : new ScriptError((error as Error).message);
    } finally {
      lua.lua_settop(L, 0);
    }
  };

  return {
    call: (request) => patiently(() => call(request)),
    check: (fn, now) => patiently(() => define(fn, now)),
  };
}

/** Call the function below the arguments on the stack. */
function protectedCall(L: LuaState, args: number, results: number, limits: Limits): void {
  let line: number | undefined;
  const look = (state: LuaState): void => {
    try {
      pay(STEP);
      checkTime();
    } catch (error) {
      line ??= lineOf(state);
      // From now on every instruction fails, so that a `pcall` of the script cannot go on for ever.
      lua.lua_sethook(state, look, lua.LUA_MASKCOUNT, 1);
      throw error;
    }
  };
  lua.lua_sethook(L, look, lua.LUA_MASKCOUNT, STEP);
  const status = metered(limits, () => lua.lua_pcall(L, args, results, 0));
  const limit = exceededLimit();
  if (limit !== undefined) throw new ScriptError(limit.message, line);
  if (status !== lua.LUA_OK) throw errorOnTop(L, status);
}

function read(L: LuaState, fn: string, index: number): unknown {
  try {
    return readValue(L, index);
  } catch (error) {
    throw new ScriptError(`${fn} returns ${(error as Error).message}`);
  }
}

/** A negative status is a failure of the machine itself, such as an exhausted stack of ours; it leaves no message. */
function errorOnTop(L: LuaState, status = 0): ScriptError {
  if (status < 0) return new ScriptError('the script is beyond what the Lua machine can do');
  if (lua.lua_type(L, -1) !== lua.LUA_TSTRING)
    return new ScriptError(`the script raises an error that is a ${typeName(L, -1)}`);
  const text = utf8(lua.lua_tostring(L, -1) ?? new Uint8Array());
  const [, line, message = text] = /^script:(\d+): ([\s\S]*)$/.exec(text) ?? [];
  return new ScriptError(shortened(message), line === undefined ? undefined : Number(line));
}

function shortened(message: string): string {
  const [first = ''] = message.split('\n');
  return first.length > 200 ? `${first.slice(0, 200)}…` : first;
}

/** Of the instruction that a hook was called at. */
function lineOf(L: LuaState): number | undefined {
  lauxlib.luaL_where(L, 0);
  const [, line] = /^script:(\d+):/.exec(utf8(lua.lua_tostring(L, -1) ?? new Uint8Array())) ?? [];
  return line === undefined ? undefined : Number(line);
}
