/** An object read as data: every member is of unknown type. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object in the sense of JSON: a map, neither list nor null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; `{}` for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The value below a path of member names; `undefined` where the path ends early. A `null` counts as absent. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let current: unknown = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Object.hasOwn(current, name) ? (current as Fields)[name] : undefined;
  }
  return current ?? undefined;
}

/** The list at a path; empty when there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = fieldAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The object at a path; `undefined` when there is none. */
export function objectAt(value: unknown, ...path: readonly string[]): Fields | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === 'object' && !Array.isArray(found) ? (found as Fields) : undefined;
}

/** The text at a path; empty when there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = fieldAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The number at a path; 0 when there is none. */
export function countAt(value: unknown, ...path: readonly string[]): number {
  const found = fieldAt(value, ...path);
  return typeof found === 'number' ? found : 0;
}

/** A copy with the value set at a path; objects on the way are created, everything else is shared. */
export function withField<T extends object>(object: T, path: readonly string[], value: unknown): T {
  const [name, ...rest] = path;
  if (name === undefined) return object;
  if (rest.length === 0) return { ...object, [name]: value };
  const child = fieldsOf((object as Fields)[name]);
  return { ...object, [name]: withField(child, rest, value) };
}

/** A copy without the value at a path; the object itself when there is nothing at the path. */
export function withoutField<T extends object>(object: T, path: readonly string[]): T {
  const [name, ...rest] = path;
  if (name === undefined || !Object.hasOwn(object, name)) return object;
  if (rest.length === 0) {
    const { [name]: _, ...kept } = object as Record<string, unknown>;
    return kept as T;
  }
  const child = (object as Fields)[name];
  if (typeof child !== 'object' || child === null) return object;
  const shorter = withoutField(child, rest);
  return shorter === child ? object : { ...object, [name]: shorter };
}
