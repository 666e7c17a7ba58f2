import { isRecord } from '../value.js';

/**
 * Defaults of a schema: path of the field (`[]` after a list) to its value. A default is set when its parent is
 * there and the field is not; parents come before their children.
 */
export type DefaultTable = Readonly<Record<string, string | number | boolean>>;

/** The document with the defaults set; parts that do not change are shared, an unchanged document is returned. */
export function withTable<T>(document: T, table: DefaultTable): T {
  let result: unknown = document;
  for (const { path, value } of stepsOf(table)) result = filled(result, path, 0, value);
  return result as T;
}

interface Step {
  readonly path: readonly string[];
  readonly value: string | number | boolean;
}

/** Tables are constants, each read once for every document of its kind. */
const STEPS = new WeakMap<DefaultTable, readonly Step[]>();

function stepsOf(table: DefaultTable): readonly Step[] {
  let steps = STEPS.get(table);
  if (steps === undefined) {
    steps = Object.entries(table).map(([path, value]) => ({
      path: path.replaceAll('[]', '.[]').split('.'),
      value,
    }));
    STEPS.set(table, steps);
  }
  return steps;
}

function filled(
  value: unknown,
  path: readonly string[],
  depth: number,
  fallback: unknown,
): unknown {
  const field = path[depth] ?? '';
  if (field === '[]') {
    if (!Array.isArray(value)) return value;
    const next = value.map((item) => filled(item, path, depth + 1, fallback));
    return next.some((item, i) => item !== value[i]) ? next : value;
  }
  if (!isRecord(value)) return value;
  const member = value[field];
  const next =
    depth === path.length - 1 ? (member ?? fallback) : filled(member, path, depth + 1, fallback);
  return next === member ? value : { ...value, [field]: next };
}

/** Table of a structure that stands under `prefix` in several kinds. */
export function under(prefix: string, table: DefaultTable): DefaultTable {
  return Object.fromEntries(
    Object.entries(table).map(([path, value]) => [`${prefix}.${path}`, value]),
  );
}
