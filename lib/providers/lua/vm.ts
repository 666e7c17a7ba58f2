/**
 * The Lua machine, computing as the Lua 5.1 of Karmada does. Always imported by way of this file: the order of the imports
 * below matters (ADR 0110).
 */
import './vm-strings.js';
import './vm-numbers.js';
import './vm-tables.js';
import './vm-syntax.js';
import { lauxlib, lua, lualib } from 'fengari';

export { lauxlib, lua, lualib };
export type { LuaFunction, LuaState } from 'fengari';
