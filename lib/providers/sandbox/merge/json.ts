/** JSON values, and the few operations on them that writes to the store need. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parse text from the network. `__proto__` is dropped wherever it occurs: `JSON.parse` itself creates it as an own key,
 * which a later copy by assignment would turn into a prototype.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
}

export function cloneJson<T>(value: T): T {
  return structuredClone(value);
}

/** Structural equality; `undefined` fields count as absent. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  const others = Object.keys(b).filter((key) => b[key] !== undefined);
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]))
  );
}

/** RFC 7386: null removes, objects merge, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const out: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = mergePatch(out[key], value);
  }
  return out;
}

/** The object at `key`, or an empty one. */
export function objectAt(value: unknown, ...path: readonly string[]): JsonObject {
  let at: unknown = value;
  for (const key of path) at = isObject(at) ? at[key] : undefined;
  return isObject(at) ? at : {};
}

/** The list at a path, or an empty one. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const last = path.at(-1);
  const at = last === undefined ? value : objectAt(value, ...path.slice(0, -1))[last];
  return Array.isArray(at) ? (at as unknown[]) : [];
}
