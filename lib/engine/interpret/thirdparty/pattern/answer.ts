/**
 * An answer as Karmada's scripts give it: every member that is an empty object or list is gone, since a script cannot tell
 * one from the other; what becomes empty by that stays (lifecycle reference §4.3).
 */
export function withoutEmpty<T extends object>(value: T): T {
  if (Array.isArray(value)) return value.filter((item) => !isEmpty(item)).map(inner) as T;
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  return Object.fromEntries(members.map(([key, member]) => [key, inner(member)])) as T;
}

/** Without empty members, `0`, `""` and `"0s"`, and without what becomes empty by that (lifecycle reference §5.2, OMIT). */
export function withoutZeros<T extends object>(value: T): T {
  return (dropZeros(value) ?? {}) as T;
}

function inner(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? withoutEmpty(value) : value;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function dropZeros(value: unknown): unknown {
  if (value === 0 || value === '' || value === '0s' || isEmpty(value)) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(dropZeros).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  const members = Object.entries(value).map(([key, member]) => [key, dropZeros(member)] as const);
  const kept = members.filter(([, member]) => member !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
