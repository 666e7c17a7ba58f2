import { compareStrings } from '../compare.js';

const MAX_NAMES = 3;

/** `a, b, c and 4 more clusters`: in a sentence about what is affected. */
export function nameClusters(clusters: readonly string[]): string {
  const names = [...new Set(clusters)].sort(compareStrings);
  const shown = names.slice(0, MAX_NAMES).join(', ');
  const more = names.length - MAX_NAMES;
  return more <= 0 ? shown : `${shown} and ${more} more ${more === 1 ? 'cluster' : 'clusters'}`;
}
