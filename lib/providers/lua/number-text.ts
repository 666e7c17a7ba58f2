const INT64 = 2 ** 63;

/** Longer texts are no numerals: looking at them would take the square of their length. */
export const NUMERAL_LIMIT = 200;

/**
 * A number as Karmada's Lua prints it: whole ones within 64 bits with all their digits and no fraction, others with the
 * fewest digits that tell them apart, with an exponent below 1e-4 and from 1e6 on.
 *
 * @example numberText(3) // '3'; numberText(1234567.5) // '1.2345675e+06'
 */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Number.isInteger(value) && value >= -INT64 && value < INT64) return BigInt(value).toString();
  return generalText(value);
}

/** The fewest digits that tell a finite number from all others, with an exponent below 1e-4 and from 1e6 on. */
export function generalText(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  return power < -4 || power >= 6 ? `${mantissa}e${exponentText(power)}` : String(value);
}

/** Signed, with at least two digits. */
export function exponentText(power: number): string {
  return `${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
