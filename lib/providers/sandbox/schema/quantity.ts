const SUFFIX: Readonly<Record<string, readonly [base: bigint, exponent: number]>> = {
  n: [10n, -9],
  u: [10n, -6],
  m: [10n, -3],
  '': [10n, 0],
  k: [10n, 3],
  M: [10n, 6],
  G: [10n, 9],
  T: [10n, 12],
  P: [10n, 15],
  E: [10n, 18],
  Ki: [1024n, 1],
  Mi: [1024n, 2],
  Gi: [1024n, 3],
  Ti: [1024n, 4],
  Pi: [1024n, 5],
  Ei: [1024n, 6],
};
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const NANO = 1_000_000_000n;

/**
 * A quantity as the API server stores it: the largest suffix that leaves a whole number, in the family (decimal or
 * binary) it was written in. `1000m` becomes `1`, `0.5` becomes `500m`, `1024Mi` becomes `1Gi`. Text that is no quantity
 * comes back unchanged.
 *
 * Source: "The canonical form" in the Kubernetes documentation of `Quantity`.
 */
export function canonicalQuantity(value: string | number): string {
  const text = String(value);
  const nano = toNano(text);
  if (nano === undefined) return text;
  if (nano === 0n) return '0';
  const suffix = /[A-Za-z]*$/.exec(text)?.[0] ?? '';
  if (suffix.endsWith('i') && nano % NANO === 0n) return scaled(nano / NANO, BINARY, 1024n);
  return scaled(nano, DECIMAL, 1000n);
}

/** The value in billionths, rounded up; `undefined` for text that is no quantity. */
export function toNano(text: string): bigint | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+)|([A-Za-z]{0,2}))$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent, suffix = ''] = match;
  const unit: readonly [bigint, number] | undefined =
    exponent === undefined ? SUFFIX[suffix] : [10n, Number(exponent)];
  if (unit === undefined || whole + fraction === '' || Math.abs(unit[1]) > 30) return undefined;
  const [base, power] = unit;
  const scale = NANO * (power >= 0 ? base ** BigInt(power) : 1n);
  const divisor = 10n ** BigInt(fraction.length) * (power < 0 ? base ** BigInt(-power) : 1n);
  const product = BigInt(whole + fraction) * scale;
  const rounded = product / divisor + (product % divisor === 0n ? 0n : 1n);
  return sign === '-' ? -rounded : rounded;
}

function scaled(value: bigint, suffixes: readonly string[], step: bigint): string {
  let rest = value;
  let index = 0;
  while (index < suffixes.length - 1 && rest % step === 0n) {
    rest /= step;
    index++;
  }
  return `${rest}${suffixes[index]}`;
}
