import { textAt } from '../field.js';
import type { AggregatedStatusItem } from '../interpreter.js';

/** The first of the given phases that some item has; an item without status is Pending. Empty when none has any. */
export function firstPhase(
  order: readonly string[],
  items: readonly AggregatedStatusItem[],
): string {
  const phases = new Set(
    items.map(({ status }) => (status === undefined ? 'Pending' : textAt(status, 'phase'))),
  );
  return order.find((phase) => phases.has(phase)) ?? '';
}
