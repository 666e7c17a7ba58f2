/** Operators that Lua 5.3 has and 5.1 has not: a script with one works nowhere else, so it must not work here. */
import llex from 'fengari/src/llex.js';
import { fromUtf8 } from './bytes.js';

const { TK_IDIV, TK_SHL, TK_SHR } = llex.RESERVED;
const UNKNOWN = new Set([TK_IDIV, TK_SHL, TK_SHR, ...['&', '|', '~'].map((c) => c.charCodeAt(0))]);

const { luaX_next } = llex;
llex.luaX_next = (lexer) => {
  luaX_next(lexer);
  if (UNKNOWN.has(lexer.t.token)) llex.luaX_syntaxerror(lexer, fromUtf8('no operator of Lua 5.1'));
};
