import { EMPTY } from './bridge.js';

/**
 * Decide what each empty table of a result was, by the same path in the objects that the script was given: an empty object
 * where one of them had one, else an empty list; where none had any it is gone. Positions in lists do not count. The
 * whole being empty becomes `{}`. Source: lifecycle reference §4.3.
 */
export function settleEmptyTables(result: unknown, references: readonly unknown[]): unknown {
  if (result === EMPTY) return {};
  const known = new Map<string, 'object' | 'list'>();
  for (const reference of references) collect(reference, '', known);
  return settle(result, '', known);
}

function collect(value: unknown, path: string, known: Map<string, 'object' | 'list'>): void {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  if (members.length === 0 && (!isList || !known.has(path)))
    known.set(path, isList ? 'list' : 'object');
  for (const [key, member] of members) collect(member, isList ? path : `${path}/${key}`, known);
}

function settle(
  value: unknown,
  path: string,
  known: ReadonlyMap<string, 'object' | 'list'>,
): unknown {
  if (value === EMPTY) {
    const kind = known.get(path);
    return kind === undefined ? undefined : kind === 'object' ? {} : [];
  }
  if (Array.isArray(value)) {
    return value.map((item) => settle(item, path, known)).filter((item) => item !== undefined);
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [key, settle(member, `${path}/${key}`, known)] as const,
  );
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
