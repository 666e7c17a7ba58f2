const SUFFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** `0.5` and `500m`, `1Gi` and `1024Mi`, `1` and `"1"`: the server rewrites quantities. */
export function isSameQuantity(a: unknown, b: unknown): boolean {
  const [x, y] = [quantity(a), quantity(b)];
  if (x === undefined || y === undefined) return false;
  return Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y));
}

/** Whether `a` is smaller than `b`; false where one of them is no quantity. */
export function isLessQuantity(a: unknown, b: unknown): boolean {
  const [x, y] = [quantity(a), quantity(b)];
  return x !== undefined && y !== undefined && x < y && !isSameQuantity(a, b);
}

function quantity(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const match = typeof value === 'string' ? /^([+-]?\d+(?:\.\d*)?)([a-zA-Z]*)$/.exec(value) : null;
  const factor = SUFFIXES[match?.[2] ?? '?'];
  return match === null || factor === undefined ? undefined : Number(match[1]) * factor;
}
