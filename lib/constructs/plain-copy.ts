/**
 * A copy of lists and plain objects, at any depth, so that later changes of props do not reach the document. Instances of
 * classes stay as they are: cdk8s resolves its own (`Lazy`, tokens) when it synthesizes.
 */
export function plainCopy<T>(value: T): T {
  // The casts restore what was copied: same keys, same values.
  if (Array.isArray(value)) return value.map(plainCopy) as T;
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, plainCopy(v)])) as T;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
