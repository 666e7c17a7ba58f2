import type { Schema } from '../schema/schema.js';
import { equalJson, isObject, type JsonObject } from './json.js';
import { childOf, isMergeable } from './typed.js';

/**
 * Strategic merge patch, the kind `kubectl` sends for built-in types: as a JSON merge patch, but lists with keys are
 * merged item by item, by the first of their keys. Understands `$patch: delete` and `$patch: replace`,
 * `$deleteFromPrimitiveList/…` and `$setElementOrder/…` (`order`).
 */
export function strategicMerge(
  target: unknown,
  patch: unknown,
  schema: Schema,
  order?: readonly unknown[],
): unknown {
  if (Array.isArray(patch) && isMergeable(schema)) {
    return mergeLists(Array.isArray(target) ? target : [], patch, schema, order);
  }
  if (!isObject(patch)) return patch;
  if (patch['$patch'] === 'replace') return withoutDirectives(patch);
  if (patch['$patch'] === 'delete') return {};
  const out: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$deleteFromPrimitiveList/')) {
      const name = key.slice('$deleteFromPrimitiveList/'.length);
      const gone = Array.isArray(value) ? value : [];
      const list = Array.isArray(out[name]) ? (out[name] as unknown[]) : [];
      out[name] = list.filter((item) => !gone.some((each) => equalJson(each, item)));
    } else if (value === null) delete out[key];
    else if (!key.startsWith('$')) {
      const wanted = patch[`$setElementOrder/${key}`];
      const child = childOf(schema, key)[0];
      out[key] = strategicMerge(out[key], value, child, Array.isArray(wanted) ? wanted : undefined);
    }
  }
  return out;
}

/** The items of one list by their keys, in the order in which the server and the patch want them. */
function mergeLists(
  target: readonly unknown[],
  patch: readonly unknown[],
  schema: Schema & { kind: 'list' },
  wantedOrder: readonly unknown[] | undefined,
): unknown[] {
  const [key] = schema.relation.kind === 'keyed' ? schema.relation.keys : [];
  const keyOf = (item: unknown): string =>
    JSON.stringify(key === undefined || !isObject(item) ? item : item[key]);
  const merged = new Map<string, unknown>(target.map((item) => [keyOf(item), item]));
  const directive = (item: unknown): unknown => (isObject(item) ? item['$patch'] : undefined);
  if (
    patch.some((item) => directive(item) === 'replace' && Object.keys(item as object).length === 1)
  )
    merged.clear();
  for (const item of patch) {
    const id = keyOf(item);
    if (directive(item) === 'delete') merged.delete(id);
    else if (merged.has(id) && key !== undefined)
      merged.set(id, strategicMerge(merged.get(id), item, schema.element));
    else if (directive(item) !== 'replace') merged.set(id, withoutDirectives(item));
  }
  const patchOrder = (wantedOrder ?? patch)
    .map(keyOf)
    .filter((id, index, all) => merged.has(id) && all.indexOf(id) === index);
  const serverOrder = target.map(keyOf);
  const left = serverOrder.filter((id) => merged.has(id) && !patchOrder.includes(id));
  return interleaved(left, patchOrder, serverOrder).map((id) => merged.get(id));
}

/** What the patch does not name keeps its place before what came after it on the server; else the patch goes first. */
function interleaved(
  left: readonly string[],
  right: readonly string[],
  serverOrder: readonly string[],
): string[] {
  const out: string[] = [];
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const [a, b] = [left[l], right[r]];
    const isBefore =
      b === undefined ||
      (a !== undefined &&
        serverOrder.includes(b) &&
        serverOrder.indexOf(a) < serverOrder.indexOf(b));
    if (a !== undefined && isBefore) {
      out.push(a);
      l++;
    } else if (b !== undefined) {
      out.push(b);
      r++;
    }
  }
  return out;
}

function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, child]) => !key.startsWith('$') && child !== null)
      .map(([key, child]) => [key, withoutDirectives(child)]),
  );
}
