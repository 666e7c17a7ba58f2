const SUFFIX_EXPONENT: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d+)|(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]))?$/;
const LIMIT = 9223372036854775807n;

/**
 * A Kubernetes quantity as a whole number of units of 10^-`digits`, rounded up (away from zero), within 64 bits.
 * `undefined` for what is no quantity.
 *
 * @example parseQuantity('0.1', 3) // 100n
 */
export function parseQuantity(value: unknown, digits: 0 | 3): bigint | undefined {
  const match = PATTERN.exec(String(value));
  const [, sign = '', whole = '', fraction = '', exponent, suffix = ''] = match ?? [];
  if (match === null || whole + fraction === '') return undefined;

  const binary = BINARY.indexOf(suffix);
  const power =
    (exponent === undefined ? (SUFFIX_EXPONENT[suffix] ?? 0) : Number(exponent.slice(1))) +
    digits -
    fraction.length;
  let numerator = BigInt(whole + fraction);
  if (binary >= 0) numerator <<= BigInt(10 * (binary + 1));
  if (numerator === 0n) return 0n;
  if (power > 40) return sign === '-' ? -LIMIT : LIMIT;
  // Less than one whatever the digits are; to write `1e-999999999` out would take for ever.
  if (power < -(whole.length + fraction.length + 40)) return sign === '-' ? -1n : 1n;

  if (power >= 0) numerator *= 10n ** BigInt(power);
  const denominator = power < 0 ? 10n ** BigInt(-power) : 1n;
  const rounded = (numerator + denominator - 1n) / denominator;
  const bounded = rounded > LIMIT ? LIMIT : rounded;
  return sign === '-' ? -bounded : bounded;
}

/** Canonical decimal text of a number of units of 10^-`digits`, e.g. `1500m`, `2`, `3k`. */
export function printDecimal(amount: bigint, digits: 0 | 3): string {
  const suffixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
  if (amount === 0n) return '0';
  let mantissa = amount;
  let step = digits === 3 ? -1 : 0;
  while (mantissa !== 0n && mantissa % 1000n === 0n && step < suffixes.length - 1) {
    mantissa /= 1000n;
    step += 1;
  }
  return `${mantissa}${step < 0 ? 'm' : (suffixes[step] ?? '')}`;
}

/** Canonical binary text of a whole number, e.g. `1536Mi`; below 1024 and for odd numbers plain digits. */
export function printBinary(amount: bigint): string {
  let mantissa = amount;
  let step = 0;
  if (amount > -1024n && amount < 1024n) return printDecimal(amount, 0);
  while (mantissa % 1024n === 0n && step < BINARY.length) {
    mantissa /= 1024n;
    step += 1;
  }
  return `${mantissa}${step === 0 ? '' : (BINARY[step - 1] ?? '')}`;
}
