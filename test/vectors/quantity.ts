const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL: Readonly<Record<string, number>> = {
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

/** Leaves of `difference`: equal as they are, or, inside resource lists, the same amount written in another way. */
export function equalQuantities(got: unknown, want: unknown, path: string): boolean {
  if (Object.is(got, want)) return true;
  if (!/resourceRequest|resourceList|capacity|allocatable/i.test(path)) return false;
  const a = nanoOf(got);
  return a !== undefined && a === nanoOf(want);
}

/** Billionths, exactly; `undefined` if it is not a quantity. */
function nanoOf(value: unknown): bigint | undefined {
  const match =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE])|[eE]([+-]?\d+))?$/.exec(
      String(value),
    );
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', suffix = '', exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const binary = BINARY.indexOf(suffix);
  const power = exponent !== undefined ? Number(exponent) : binary > 0 ? 0 : (DECIMAL[suffix] ?? 0);
  const digits = BigInt(whole + fraction) * (binary > 0 ? 1024n ** BigInt(binary) : 1n);
  const shift = 9 + power - fraction.length;
  const nano = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -nano : nano;
}
