const BINARY = { Ki: 1n, Mi: 2n, Gi: 3n, Ti: 4n, Pi: 5n, Ei: 6n } as const;
const DECIMAL = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 } as const;

/** Whole nano-units: the finest step of a Kubernetes quantity. */
const NANO = 9;

/**
 * A quantity in whole nano-units, rounded up as Kubernetes does; `undefined` if it is none.
 * Exact for every quantity the schema takes: `quantityNano('500m')` is `500_000_000n`.
 */
export function quantityNano(value: string | number): bigint | undefined {
  const text = String(value);
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/.exec(
    text,
  );
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(`${whole}${fraction}` || '0');
  const scaled = isBinary(suffix)
    ? shift(digits * 1024n ** BINARY[suffix], NANO - fraction.length)
    : shift(digits, exponentOf(suffix) + NANO - fraction.length);
  return sign === '-' ? -scaled : scaled;
}

function isBinary(suffix: string): suffix is keyof typeof BINARY {
  return suffix in BINARY;
}

function exponentOf(suffix: string): number {
  if (suffix.length > 1) return Number(suffix.slice(1));
  return DECIMAL[suffix as keyof typeof DECIMAL];
}

/** `digits` times ten to the `exponent`, rounded up; beyond all amounts the exponent does not matter, and writing it out would. */
function shift(digits: bigint, wanted: number): bigint {
  const exponent = Math.max(-(digits.toString().length + 1), Math.min(wanted, 100));
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (digits + divisor - 1n) / divisor;
}
