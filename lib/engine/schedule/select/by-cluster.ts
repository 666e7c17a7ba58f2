import { compareStrings } from '../../compare.js';
import type { Candidates } from '../candidates.js';
import { failSpread, succeed, type Attempt } from '../outcome.js';
import type { Bounds } from '../placement.js';

/**
 * The best candidates within the bounds; where capacity counts, the last of them make way for roomier ones until the
 * replicas fit. Source: scheduling reference §10.4.
 *
 * @param ordered candidates in standard order
 * @param nameOf of a cluster, for what is said where there are too few
 * @param required replicas that must fit; absent: capacity does not count
 */
export function selectByCluster(
  ordered: Int32Array,
  { available }: Candidates,
  { min, max }: Bounds,
  required: number | undefined,
  nameOf: (position: number) => string,
): Attempt<Int32Array> {
  if (ordered.length < min) {
    const names = Array.from(ordered, nameOf).sort(compareStrings);
    return failSpread('the number of feasible clusters is less than spreadConstraint.MinGroups', {
      field: 'cluster',
      wanted: min,
      got: names.length,
      names,
    });
  }
  const count = Math.min(ordered.length, max);
  if (required === undefined) return succeed(ordered.slice(0, Math.max(0, count)));
  const kept = ordered.slice(0, Math.max(0, count));
  const rest = ordered.slice(Math.max(0, count));
  let sum = 0;
  for (const position of kept) sum += available[position] ?? 0;
  for (let i = kept.length - 1; i >= 0 && sum < required; i -= 1) {
    const least = kept[i] as number;
    const found = roomiest(rest, available, available[least] as number);
    if (found < 0) continue;
    const better = rest[found] as number;
    kept[i] = better;
    rest[found] = least;
    sum += (available[better] as number) - (available[least] as number);
  }
  if (sum < required || count <= 0) {
    const message = `no enough resource when selecting ${count} clusters`;
    return { ok: false, error: { type: 'Error', message, isRoom: true } };
  }
  return succeed(kept);
}

/** Index of the entry with the most room above a limit, the first of equals; -1: none. */
function roomiest(positions: Int32Array, available: Float64Array, limit: number): number {
  let found = -1;
  let most = limit;
  for (let i = 0; i < positions.length; i += 1) {
    const room = available[positions[i] as number] as number;
    if (room > most) {
      most = room;
      found = i;
    }
  }
  return found;
}
