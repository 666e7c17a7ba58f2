/**
 * A Kubernetes quantity, parsed. Amounts are exact at `nano`; the two roundings are the ones that Kubernetes' arithmetic
 * uses, away from zero, as numbers (exact up to 2^53, beyond that the nearest double).
 */
export interface Quantity {
  readonly nano: bigint;
  /** Thousandths. */
  readonly milli: number;
  /** Whole units. */
  readonly units: number;
  /** Written with a binary suffix (`Ki`, `Mi`, …). */
  readonly isBinary: boolean;
}

const NANO = 1_000_000_000n;
/** Kubernetes holds units in 64 bits, and takes what is more for that. */
const LIMIT = 9_223_372_036_854_775_807n * NANO;
const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(?:(Ki|Mi|Gi|Ti|Pi|Ei)|([numkMGTPE])|[eE]([+-]?\d+))?$/;
const BINARY: Readonly<Record<string, bigint>> = {
  Ki: 1n << 10n,
  Mi: 1n << 20n,
  Gi: 1n << 30n,
  Ti: 1n << 40n,
  Pi: 1n << 50n,
  Ei: 1n << 60n,
};
const EXPONENT: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

export const ZERO: Quantity = { nano: 0n, milli: 0, units: 0, isBinary: false };

/**
 * Parse a quantity such as `500m`, `1.5`, `2e3`, `1Gi` or the number 2.
 *
 * Finer than a nano is rounded away from zero, as Kubernetes does. Text that is no quantity gives `undefined`.
 */
export function parseQuantity(text: string | number): Quantity | undefined {
  const match = PATTERN.exec(String(text));
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', binary, decimal, exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  const power = decimal !== undefined ? (EXPONENT[decimal] ?? 0) : Number(exponent ?? 0);
  const scale = bounded(9 + power - fraction.length, whole.length + fraction.length);
  const factor = binary === undefined ? 1n : (BINARY[binary] ?? 1n);
  const exact =
    scale >= 0
      ? digits * factor * 10n ** BigInt(scale)
      : ceilDiv(digits * factor, 10n ** BigInt(-scale));
  const magnitude = exact > LIMIT ? LIMIT : exact;
  // Kubernetes keeps binary notation only for amounts of at least one.
  const isBinary = binary !== undefined && (magnitude >= NANO || magnitude === 0n);
  return quantityOf(sign === '-' ? -magnitude : magnitude, isBinary);
}

/** Beyond these everything is the largest amount, or a nano; to write `1e999999999` out would take for ever. */
function bounded(scale: number, digits: number): number {
  return Math.max(-(digits + 40), Math.min(scale, 60));
}

/** The quantity of so many nanos. */
export function quantityOf(nano: bigint, isBinary: boolean): Quantity {
  return { nano, milli: roundAway(nano, 1_000_000n), units: roundAway(nano, NANO), isBinary };
}

/** Difference; the notation is that of `a` unless it is zero. */
export function subtract(a: Quantity, b: Quantity): Quantity {
  return quantityOf(a.nano - b.nano, a.nano === 0n ? b.isBinary : a.isBinary);
}

/**
 * The amount as Karmada counts component sets: units when written in binary notation, else thousandths, and the two are
 * mixed in sums and comparisons. Its oddity, kept.
 */
export function byNotation({ isBinary, units, milli }: Quantity): number {
  return isBinary ? units : milli;
}

function roundAway(nano: bigint, unit: bigint): number {
  return Number(nano < 0n ? -ceilDiv(-nano, unit) : ceilDiv(nano, unit));
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}
