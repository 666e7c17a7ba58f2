/**
 * A record's member under a name that somebody else chose, `undefined` where it has none.
 *
 * Plain access finds what every object inherits: a cluster may be called `constructor`.
 */
export function own<T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
