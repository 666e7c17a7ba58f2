/**
 * What tables of the Lua machine cost: a table and each new member some memory, finding the length or the next member more
 * than the one instruction that asks for it. To be imported before the machine itself.
 */
import ltable from 'fengari/src/ltable.js';
import { pay, payEntry, payTable } from './meter.js';

/** Steps that `next` costs, measured against a loop that does nothing. */
const NEXT_STEPS = 10;

const { luaH_getn, luaH_new, luaH_next, luaH_setfrom, luaH_setint } = ltable;

ltable.luaH_new = (L) => {
  payTable();
  return luaH_new(L);
};
ltable.luaH_next = (L, table, keyIndex) => {
  pay(NEXT_STEPS);
  return luaH_next(L, table, keyIndex);
};
/** The length is searched for, in halves. */
ltable.luaH_getn = (table) => {
  pay(2 * Math.ceil(Math.log2(table.strong.size + 2)));
  return luaH_getn(table);
};
ltable.luaH_setfrom = (L, table, key, value) => {
  const { size } = table.strong;
  luaH_setfrom(L, table, key, value);
  if (table.strong.size > size) payEntry();
};
ltable.luaH_setint = (table, key, value) => {
  const { size } = table.strong;
  luaH_setint(table, key, value);
  if (table.strong.size > size) payEntry();
};
