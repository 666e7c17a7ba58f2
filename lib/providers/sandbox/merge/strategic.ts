import type { Schema } from '../schema/schema.js';
import { equalJson, isObject, type JsonObject } from './json.js';
import { childOf, isMergeable } from './typed.js';

/**
 * Strategic merge patch, the kind `kubectl` sends for built-in types: as a JSON merge patch, but lists with keys are
 * merged item by item, by the first of their keys. Understands `$patch: delete` and `$patch: replace`,
 * `$deleteFromPrimitiveList/…` and, by ignoring it, `$setElementOrder/…`.
 */
export function strategicMerge(target: unknown, patch: unknown, schema: Schema): unknown {
  if (Array.isArray(patch) && isMergeable(schema))
    return mergeLists(Array.isArray(target) ? target : [], patch, schema);
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
    else if (!key.startsWith('$'))
      out[key] = strategicMerge(out[key], value, childOf(schema, key)[0]);
  }
  return out;
}

function mergeLists(
  target: readonly unknown[],
  patch: readonly unknown[],
  schema: Schema & { kind: 'list' },
): unknown[] {
  if (schema.relation.kind !== 'keyed') {
    return [...target, ...patch.filter((item) => !target.some((each) => equalJson(each, item)))];
  }
  const [key = ''] = schema.relation.keys;
  const items = patch.filter(isObject);
  const replaces = items.some(
    (item) => item['$patch'] === 'replace' && Object.keys(item).length === 1,
  );
  const out: unknown[] = replaces ? [] : [...target];
  for (const item of items) {
    const index = out.findIndex((each) => isObject(each) && equalJson(each[key], item[key]));
    if (item['$patch'] === 'delete') {
      if (index >= 0) out.splice(index, 1);
    } else if (index >= 0) out[index] = strategicMerge(out[index], item, schema.element);
    else if (item[key] !== undefined) out.push(withoutDirectives(item));
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
