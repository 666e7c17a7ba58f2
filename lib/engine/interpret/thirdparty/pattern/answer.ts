/**
 * An answer as Karmada's scripts give it: empty objects and lists are nowhere in it, since a script cannot tell one from
 * the other (lifecycle reference §4.3). The whole being empty gives `{}`.
 */
export function withoutEmpty<T extends object>(value: T): T {
  return (dropEmpty(value) ?? {}) as T;
}

/** Besides that without `0`, `""` and `"0s"`. */
export function withoutZeros<T extends object>(value: T): T {
  return (dropEmpty(value, (leaf) => leaf === 0 || leaf === '' || leaf === '0s') ?? {}) as T;
}

function dropEmpty(value: unknown, isNothing: (leaf: unknown) => boolean = () => false): unknown {
  if (typeof value !== 'object' || value === null)
    return isNothing(value) ? undefined : (value ?? undefined);
  if (Array.isArray(value)) {
    const items = value
      .map((item) => dropEmpty(item, isNothing))
      .filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  const members = Object.entries(value)
    .map(([key, member]) => [key, dropEmpty(member, isNothing)] as const)
    .filter(([, member]) => member !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
