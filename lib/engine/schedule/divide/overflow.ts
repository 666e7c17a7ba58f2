import type { Candidates } from '../candidates.js';
import { fail, succeed, type Attempt } from '../outcome.js';
import type { Division, DivisionInput, Share } from './shares.js';

/**
 * Divide tier by tier: the term's own clusters first, each overflow affinity only with what is left. Each tier is divided as
 * if it were the whole problem. Source: scheduling reference §14.4.
 */
export function divideOverTiers(
  input: DivisionInput,
  { available, tier }: Pick<Candidates, 'available' | 'tier'>,
  divide: (part: DivisionInput, title: string) => Attempt<Division>,
): Attempt<Division> {
  const tiers = new Map<number, number[]>();
  for (const position of Array.from(input.selected)) {
    const order = tier?.[position] ?? 0;
    const members = tiers.get(order);
    if (members === undefined) tiers.set(order, [position]);
    else members.push(position);
  }
  const shares: Share[] = [];
  let unordered = false;
  let remaining = input.replicas;
  for (const order of [...tiers.keys()].sort((a, b) => a - b)) {
    const selected = tiers.get(order) ?? [];
    const room = selected.reduce((sum, position) => sum + (available[position] ?? 0), 0);
    const replicas = Math.min(remaining, room);
    const previous = input.previous.filter(({ position }) => selected.includes(position));
    const divided = divide({ ...input, selected, replicas, previous }, `tier ${order}: `);
    if (!divided.ok) return divided;
    shares.push(...divided.value.shares);
    unordered ||= divided.value.unordered;
    remaining -= replicas;
    if (remaining <= 0) break;
  }
  if (remaining > 0) {
    return fail('Clusters available replicas are not enough to schedule.', 'UnschedulableError');
  }
  return succeed({ shares, unordered });
}
