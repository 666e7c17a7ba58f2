/** A total order: negative when `a` comes first. */
export type Compare<T> = (a: T, b: T) => number;

/** Code-unit order of strings, the same in every locale. */
export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Order by a key, ascending. */
export function compareBy<T, K extends string | number>(key: (value: T) => K): Compare<T> {
  return (a, b) => {
    const x = key(a);
    const y = key(b);
    return x < y ? -1 : x > y ? 1 : 0;
  };
}

/** The opposite order. */
export function descending<T>(order: Compare<T>): Compare<T> {
  return (a, b) => order(b, a);
}

/** The first order that tells two values apart decides. */
export function inOrder<T>(...orders: readonly Compare<T>[]): Compare<T> {
  return (a, b) => {
    for (const order of orders) {
      const result = order(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };
}

/** A sorted copy. */
export function sorted<T>(values: Iterable<T>, order: Compare<T>): T[] {
  return [...values].sort(order);
}

/** A copy sorted by a text, which is made once per value and not once per comparison. */
export function sortedByKey<T>(values: Iterable<T>, keyOf: (value: T) => string): T[] {
  const keyed = Array.from(values, (value) => ({ value, key: keyOf(value) }));
  keyed.sort((a, b) => compareStrings(a.key, b.key));
  return keyed.map(({ value }) => value);
}
