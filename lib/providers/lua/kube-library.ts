import { fieldAt } from '../../engine/interpret/field.js';
import { podReferences } from '../../engine/interpret/pod/references.js';
import { podRequirements } from '../../engine/interpret/pod/requirements.js';
import { addQuantities, unitsOf } from '../../engine/interpret/thirdparty/pattern/quantity.js';
import { EMPTY, pushValue, readValue } from './bridge.js';
import { addNatives } from './native.js';
import type { LuaFunction, LuaState } from './vm.js';
import { lua } from './vm.js';

/** What `require("kube")` gives a script. Source: lifecycle reference §4.4. */
const FUNCTIONS: Readonly<Record<string, (args: readonly unknown[]) => unknown>> = {
  resourceAdd(quantities) {
    for (const quantity of quantities) {
      if (quantity !== undefined && typeof quantity !== 'string')
        throw new Error(`quantities must be texts, found ${describe(quantity)}`);
    }
    return addQuantities(['0', ...quantities.map((quantity) => quantity ?? '0')]);
  },
  accuratePodRequirements([template]) {
    return podRequirements(fieldAt(template, 'spec'));
  },
  getPodDependencies([template, namespace]) {
    return podReferences(
      fieldAt(template, 'spec'),
      typeof namespace === 'string' ? namespace : 'default',
    );
  },
  getResourceQuantity([quantity]) {
    if (quantity !== undefined && typeof quantity !== 'string' && typeof quantity !== 'number')
      throw new Error(`a quantity must be a text, found ${describe(quantity)}`);
    return unitsOf(quantity);
  },
};

/** Leaves the library on the stack. */
export function openKubeLibrary(L: LuaState): number {
  lua.lua_createtable(L, 0, 4);
  addNatives(
    L,
    Object.fromEntries(
      Object.entries(FUNCTIONS).map(([name, fn]): [string, LuaFunction] => [
        name,
        (state) => {
          const count = lua.lua_gettop(state);
          const args = Array.from({ length: count }, (_, i) => plain(readValue(state, i + 1)));
          pushValue(state, fn(args));
          return 1;
        },
      ]),
    ),
  );
  return 1;
}

/** An empty table as an argument: whatever is looked for in it is not there. */
function plain(value: unknown): unknown {
  if (value === EMPTY) return {};
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

function describe(value: unknown): string {
  return typeof value === 'object' ? 'a table' : `the ${typeof value} ${String(value)}`;
}
