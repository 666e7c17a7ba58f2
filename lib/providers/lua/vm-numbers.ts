/**
 * Numbers of the Lua machine. fengari speaks Lua 5.3 with integers of 32 bits that wrap around; here, as in Lua 5.1, all
 * numbers are doubles. To be imported before the machine itself.
 */
import lapi from 'fengari/src/lapi.js';
import lobject from 'fengari/src/lobject.js';
import ltable from 'fengari/src/ltable.js';
import { latin1 } from './bytes.js';
import { NUMERAL_LIMIT } from './number-text.js';

const NUMERAL =
  /^[ \f\n\r\t\v]*([+-]?)(0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)[ \f\n\r\t\v]*$/i;

/** The number that a numeral stands for. */
lobject.luaO_str2num = (bytes, target) => {
  const match = bytes.length > NUMERAL_LIMIT ? null : NUMERAL.exec(latin1(bytes));
  if (match === null) return 0;
  const [, sign, digits] = match;
  target.setfltvalue(sign === '-' ? -Number(digits) : Number(digits));
  return bytes.length + 1;
};

lobject.TValue.prototype.setivalue = lobject.TValue.prototype.setfltvalue;
lapi.lua_pushinteger = lapi.lua_pushnumber;

const { luaH_next } = ltable;
/** Keys of lists are kept as integers. */
ltable.luaH_next = (L, table, keyIndex) => {
  const hasMore = luaH_next(L, table, keyIndex);
  const key = L.stack[keyIndex];
  if (hasMore && key !== undefined && typeof key.value === 'number') key.setfltvalue(key.value);
  return hasMore;
};
