import { isRecord } from '../value.js';

/**
 * Defaults of a schema: path of the field (`[]` after a list) to its value. A default is set when its parent is
 * there and the field is not; parents come before their children.
 */
export type DefaultTable = Readonly<Record<string, string | number | boolean>>;

/** The document with the defaults set; parts that do not change are shared, an unchanged document is returned. */
export function withTable<T>(document: T, table: DefaultTable): T {
  let result: unknown = document;
  for (const [path, value] of Object.entries(table)) {
    result = filled(result, path.replaceAll('[]', '.[]').split('.'), value);
  }
  return result as T;
}

function filled(value: unknown, path: readonly string[], fallback: unknown): unknown {
  const [field = '', ...rest] = path;
  if (field === '[]') {
    if (!Array.isArray(value)) return value;
    const next = value.map((item) => filled(item, rest, fallback));
    return next.some((item, i) => item !== value[i]) ? next : value;
  }
  if (!isRecord(value)) return value;
  const member = value[field];
  const next = rest.length === 0 ? (member ?? fallback) : filled(member, rest, fallback);
  return next === member ? value : { ...value, [field]: next };
}

/** Table of a structure that stands under `prefix` in several kinds. */
export function under(prefix: string, table: DefaultTable): DefaultTable {
  return Object.fromEntries(
    Object.entries(table).map(([path, value]) => [`${prefix}.${path}`, value]),
  );
}
