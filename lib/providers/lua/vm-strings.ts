/**
 * Texts and printed numbers of the Lua machine. fengari's other modules take these functions when they load, so this one
 * must be imported before them.
 */
// These two refer to each other; only this order works.
import 'fengari/src/defs.js';
import luaconf from 'fengari/src/luaconf.js';
import lstring from 'fengari/src/lstring.js';
import { latin1 } from './bytes.js';
import { pay, payText } from './meter.js';
import { numberText } from './number-text.js';

const BYTES_PER_STEP = 64;

luaconf.LUA_COMPAT_FLOATSTRING = true;
/** Values on the stack: some 20,000 calls deep, where fengari's million takes seconds to unwind. */
luaconf.LUAI_MAXSTACK = 100_000;
luaconf.lua_number2str = numberText;

/** fengari's own keys take "\x01#" and "\x12\x03" for the same text; and texts must compare byte by byte. */
lstring.luaS_hash = (bytes) => `|${latin1(bytes)}`;
lstring.luaS_hashlongstr = (text) => {
  payForLength(text.realstring);
  return (text.hash ??= `|${latin1(text.realstring)}`);
};

const { luaS_bless, luaS_eqlngstr, luaS_new } = lstring;
lstring.luaS_eqlngstr = (a, b) => {
  payForLength(a.realstring);
  return luaS_eqlngstr(a, b);
};
// No arrow functions: fengari calls one of these with `new`.
lstring.luaS_bless = function (L, bytes) {
  payText(bytes.length);
  return luaS_bless(L, bytes);
};
lstring.luaS_new = function (L, bytes) {
  payText(bytes.length);
  return luaS_new(L, bytes);
};

/** Long texts take longer to compare and to look up than the one instruction that does it. */
function payForLength({ length }: Uint8Array): void {
  if (length > BYTES_PER_STEP) pay(Math.ceil(length / BYTES_PER_STEP));
}
