import { exponentText, generalText, numberText } from './number-text.js';

/** A value that a script gives to `string.format`; what has no text of its own comes as its text. */
export type FormatValue = string | number | boolean | undefined;

/** Longest field: the result must not grow without bound. */
const WIDTH_LIMIT = 99;

/**
 * `string.format`: the verbs of Lua 5.1 (`c d i o u x X e E f g G q s %`) with flags, width and precision. `%d` and its
 * like cut fractions off, as Lua 5.1 does.
 *
 * @throws Error for an unknown verb, a missing value, or one of the wrong type
 */
export function format(pattern: string, values: readonly FormatValue[]): string {
  let position = 0;
  return pattern.replace(
    /%([-+ #0]*)(\d*)(?:\.(\d*))?([\s\S]?)/g,
    (whole, flags: string, width: string, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%';
      const print = VERBS[verb];
      if (print === undefined) throw new Error(`invalid option '${whole}' to 'format'`);
      if (position >= values.length)
        throw new Error(`no value for '${whole}' to 'format' (number ${position + 1})`);
      const value = values[position];
      position += 1;
      if (Number(width) > WIDTH_LIMIT || Number(precision ?? 0) > WIDTH_LIMIT)
        throw new Error(`'${whole}' to 'format' is too long`);
      const digits = precision === undefined ? undefined : Number(precision);
      return pad(print(value, digits, flags), flags, Number(width), 'diouxXeEfgG'.includes(verb));
    },
  );
}

type Print = (value: FormatValue, precision: number | undefined, flags: string) => string;

const VERBS: Readonly<Record<string, Print>> = {
  c: (value) => String.fromCharCode(wholeOf(value) & 255),
  d: printWhole,
  e: (value, precision = 6, flags) =>
    signed(numberOf(value), flags, (n) => scientific(n, precision)),
  E: (value, precision = 6, flags) =>
    signed(numberOf(value), flags, (n) => scientific(n, precision).toUpperCase()),
  f: (value, precision = 6, flags) => signed(numberOf(value), flags, (n) => fixed(n, precision)),
  g: (value, precision, flags) => signed(numberOf(value), flags, (n) => general(n, precision)),
  G: (value, precision, flags) =>
    signed(numberOf(value), flags, (n) => general(n, precision).toUpperCase()),
  i: printWhole,
  o: (value) => BigInt.asUintN(64, BigInt(wholeOf(value))).toString(8),
  q: (value) => quoted(textOf(value)),
  s: (value, precision) => textOf(value).slice(0, precision),
  u: printWhole,
  x: (value) => BigInt.asUintN(64, BigInt(wholeOf(value))).toString(16),
  X: (value) =>
    BigInt.asUintN(64, BigInt(wholeOf(value)))
      .toString(16)
      .toUpperCase(),
};

function printWhole(value: FormatValue, precision = 0, flags = ''): string {
  return signed(wholeOf(value), flags, (n) => BigInt(n).toString().padStart(precision, '0'));
}

function signed(value: number, flags: string, print: (absolute: number) => string): string {
  const isNegative = value < 0 || Object.is(value, -0);
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : `${sign}inf`;
  return sign + print(Math.abs(value));
}

function fixed(value: number, precision: number): string {
  if (value >= 1e21)
    return BigInt(value).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '');
  // Ties go to the even digit, as in C.
  const exact = value.toFixed(100);
  const cut = exact.indexOf('.') + 1 + precision;
  const isTie = /^50*$/.test(exact.slice(cut));
  const kept = exact.slice(0, precision === 0 ? cut - 1 : cut);
  return isTie && /[02468]$/.test(kept) ? kept : value.toFixed(precision);
}

function scientific(value: number, precision: number): string {
  const [mantissa = '', power = '0'] = value.toExponential(precision).split('e');
  return `${mantissa}e${exponentText(Number(power))}`;
}

/** `%g`: the shorter of both forms, without trailing zeros; all digits that tell numbers apart unless a precision is given. */
function general(value: number, precision: number | undefined): string {
  if (precision === undefined) return generalText(value);
  const digits = Math.max(1, precision);
  const power = value === 0 ? 0 : Number(value.toExponential(digits - 1).split('e')[1]);
  if (power >= -4 && power < digits) return trimmed(fixed(value, digits - 1 - power));
  const [mantissa = '', exponent = ''] = scientific(value, digits - 1).split('e');
  return `${trimmed(mantissa)}e${exponent}`;
}

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function quoted(text: string): string {
  const inner = text.replace(/["\\\n\r\0]/g, (character) => QUOTED[character] ?? character);
  return `"${inner}"`;
}

const QUOTED: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
};

function pad(text: string, flags: string, width: number, isNumber: boolean): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!isNumber || !flags.includes('0') || /[a-z]{3}$/.test(text)) return text.padStart(width);
  const sign = /^[-+ ]/.test(text) ? text.slice(0, 1) : '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}

function textOf(value: FormatValue): string {
  if (typeof value === 'number') return numberText(value);
  return value === undefined ? 'nil' : String(value);
}

function numberOf(value: FormatValue): number {
  const number =
    typeof value === 'string' && value.trim() !== '' ? Number(value) : (value as number);
  if (typeof number !== 'number' || (typeof value === 'string' && Number.isNaN(number)))
    throw new Error(
      `'format' expects a number, found ${value === undefined ? 'nil' : typeof value}`,
    );
  return number;
}

/** Towards zero, within 64 bits. */
function wholeOf(value: FormatValue): number {
  const number = Math.trunc(numberOf(value)) + 0;
  if (!Number.isFinite(number)) throw new Error(`'format' expects a whole number`);
  return number;
}
