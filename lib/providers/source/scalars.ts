import type { ScalarTag } from 'yaml';

/** Words that kubectl's parser reads as booleans when they stand without quotes. */
const TRUE_WORDS = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE_WORDS = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const NULL_WORDS = /^(?:|~|null|Null|NULL)$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const POINT_FLOAT = /^\.[0-9]+([eE][-+]?[0-9]+)?$/;
const NOT_FINITE = /^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/;

/**
 * A plain scalar that starts like a number, as Go's yaml v2 reads it: underscores dropped, `0x`, `0b`, `0o` and a
 * leading zero as bases, no base-60 numbers, no dates. What is no number stays the text it was.
 */
export function toNumber(text: string): number | string {
  if (!/^[-+.0-9]/.test(text)) return text;
  if (text.startsWith('.')) return POINT_FLOAT.test(text) ? Number(text) : text;
  const plain = text.replaceAll('_', '');
  const whole = toWhole(plain);
  if (whole !== undefined) return whole;
  return FLOAT.test(plain) ? Number(plain) : text;
}

function toWhole(plain: string): number | undefined {
  const match = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/.exec(
    plain,
  );
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const size =
    hex !== undefined
      ? Number.parseInt(hex, 16)
      : binary !== undefined
        ? Number.parseInt(binary, 2)
        : octal !== undefined
          ? Number.parseInt(octal, 8)
          : Number(decimal);
  // 0 - 0 is 0, and JSON has no negative zero.
  return sign === '-' ? 0 - size : size;
}

function numberTag(tag: string): ScalarTag {
  return {
    default: true,
    tag,
    test: /^[-+.0-9]/,
    resolve: (text, onError) => {
      const value = toNumber(text);
      if (NOT_FINITE.test(text) || value === Infinity || value === -Infinity) {
        const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
        onError(`${shown} has no JSON form; put it in quotes`);
      }
      if (
        typeof value === 'number' &&
        Number.isInteger(value) &&
        !Number.isSafeInteger(value) &&
        /^[-+]?\d+$/.test(text)
      ) {
        onError(`The whole number ${text} is too large to be kept exactly; put it in quotes`);
      }
      return value;
    },
  };
}

/** The value of a scalar without quotes. */
export function toScalar(text: string): string | number | boolean | null {
  if (NULL_WORDS.test(text)) return null;
  if (TRUE_WORDS.test(text)) return true;
  return FALSE_WORDS.test(text) ? false : toNumber(text);
}

/** Whether JSON and JavaScript can hold its value as written. */
export function isExact(text: string): boolean {
  const value = toNumber(text);
  const isWhole = typeof value === 'number' && Number.isInteger(value);
  if (NOT_FINITE.test(text) || value === Infinity || value === -Infinity) return false;
  return !isWhole || Number.isSafeInteger(value);
}

/** Whether a text without quotes would be read as that text. */
export function staysText(text: string): boolean {
  return !NOT_FINITE.test(text) && typeof toScalar(text) === 'string';
}

/**
 * Scalars exactly as `kubectl apply` reads them (sigs.k8s.io/yaml on Go's yaml v2): YAML 1.1 booleans and octal numbers,
 * but no base-60 numbers and no dates (ADR 0080). Order matters: the first test that matches decides.
 */
export const KUBERNETES_SCALARS: readonly (ScalarTag | 'merge')[] = [
  {
    default: true,
    tag: 'tag:yaml.org,2002:null',
    test: NULL_WORDS,
    resolve: () => null,
  },
  {
    default: true,
    tag: 'tag:yaml.org,2002:bool',
    test: new RegExp(`${TRUE_WORDS.source}|${FALSE_WORDS.source}`),
    resolve: (text) => TRUE_WORDS.test(text),
  },
  numberTag('tag:yaml.org,2002:int'),
  numberTag('tag:yaml.org,2002:float'),
  'merge',
];
