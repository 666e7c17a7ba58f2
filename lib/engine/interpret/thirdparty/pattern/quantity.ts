import { InterpretError } from '../../interpret-error.js';
import { printBinary, printDecimal } from '../../pod/quantity.js';
import { parseQuantity } from '../../../schedule/quantity.js';

/**
 * A Kubernetes quantity as a number of units; nothing counts as zero.
 *
 * @throws {@link InterpretError} for what is no quantity, or a negative one
 */
export function unitsOf(quantity: unknown): number {
  if (quantity === undefined || quantity === null) return 0;
  const parsed = parseQuantity(quantity as string | number);
  if (parsed === undefined || parsed.nano < 0n) {
    throw new InterpretError(`${JSON.stringify(quantity)} is not a quantity`);
  }
  return Number(parsed.nano) / 1e9;
}

/** The sum of quantities in canonical form; the first that is not zero decides on binary or decimal notation. */
export function addQuantities(quantities: readonly unknown[]): string {
  const parsed = quantities.map((quantity) => {
    const value = parseQuantity(quantity as string | number);
    if (value === undefined)
      throw new InterpretError(`${JSON.stringify(quantity)} is not a quantity`);
    return value;
  });
  const total = parsed.reduce((sum, { nano }) => sum + nano, 0n);
  const isBinary = parsed.find(({ nano }) => nano !== 0n)?.isBinary ?? false;
  return isBinary
    ? printBinary(ceilDiv(total, NANO))
    : printDecimal(ceilDiv(total, NANO / 1000n), 3);
}

const NANO = 1_000_000_000n;

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}
