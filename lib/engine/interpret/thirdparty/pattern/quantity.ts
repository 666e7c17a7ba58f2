import { InterpretError } from '../../interpret-error.js';
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
