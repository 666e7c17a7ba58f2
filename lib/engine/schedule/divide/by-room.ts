import { fail, succeed, type Attempt } from '../outcome.js';
import { apportionShares } from './apportion-shares.js';
import type { DivisionTrace } from './division-trace.js';
import { goSort } from './go-sort.js';
import { sum32, type Division, type DivisionInput, type Share } from './shares.js';

/**
 * Divide by the room that clusters have: `DynamicWeight` over all of them, `Aggregated` over as few as hold the replicas.
 *
 * Steady: what the clusters have stays, and only the difference is divided; fresh: everything is. Source: scheduling
 * reference §11.5.
 */
export function divideByRoom(
  input: DivisionInput,
  isAggregated: boolean,
  trace?: DivisionTrace,
): Attempt<Division> {
  const { replicas, previous, isFresh } = input;
  const assigned = sum32(previous);
  if (isFresh)
    return give('fresh scale', input, roomWithPrevious(input), replicas, [], isAggregated, trace);
  if (assigned > replicas) {
    return give('scale down', input, previous, replicas, [], isAggregated, trace);
  }
  if (assigned < replicas) {
    const missing = replicas - assigned;
    return give('scale up', input, roomOf(input), missing, previous, isAggregated, trace);
  }
  trace?.('unchanged', 0, previous, previous);
  return succeed({ shares: previous, unordered: false });
}

const ERROR_PREFIX = {
  'fresh scale': 'failed to do fresh scale: ',
  'scale down': 'failed to scale down: ',
  'scale up': 'failed to scale up: ',
} as const;

function give(
  mode: keyof typeof ERROR_PREFIX,
  input: DivisionInput,
  weights: readonly Share[],
  target: number,
  base: readonly Share[],
  isAggregated: boolean,
  trace: DivisionTrace | undefined,
): Attempt<Division> {
  const total = sum32(weights);
  if (total < target) {
    const text = `${ERROR_PREFIX[mode]}Clusters available replicas ${total} are not enough to schedule.`;
    return fail(text, 'UnschedulableError');
  }
  const parties = isAggregated ? fewest(weights, target, base) : weights;
  const given = apportionShares(target, parties, input.largerNameWins, trace, mode);
  return succeed(merge(base, given));
}

function roomOf({ selected, allocatable }: DivisionInput): Share[] {
  return Array.from(selected, (position) => ({ position, replicas: allocatable[position] ?? 0 }));
}

function roomWithPrevious(input: DivisionInput): Share[] {
  const had = new Map(input.previous.map(({ position, replicas }) => [position, replicas]));
  return roomOf(input).map(({ position, replicas }) => ({
    position,
    replicas: (replicas + (had.get(position) ?? 0)) | 0,
  }));
}

/** The shortest prefix that holds the target, clusters with replicas in the base first, then the roomier ones. */
function fewest(
  weights: readonly Share[],
  target: number,
  base: readonly Share[],
): readonly Share[] {
  const ordered = [...weights];
  goSort(ordered, (a, b) => a.replicas > b.replicas);
  const used = new Set(base.filter(({ replicas }) => replicas > 0).map(({ position }) => position));
  const preferred =
    used.size === 0
      ? ordered
      : [
          ...ordered.filter(({ position }) => used.has(position)),
          ...ordered.filter(({ position }) => !used.has(position)),
        ];
  let sum = 0;
  const prefix: Share[] = [];
  for (const share of preferred) {
    prefix.push(share);
    sum = (sum + share.replicas) | 0;
    if (sum >= target) break;
  }
  return prefix;
}

/** What was given on top of what was there. */
function merge(base: readonly Share[], given: readonly Share[]): Division {
  if (base.length === 0) return { shares: given, unordered: false };
  if (given.length === 0) return { shares: base, unordered: false };
  const kept = new Map(base.map(({ position, replicas }) => [position, replicas]));
  const shares = given.map(({ position, replicas }) => {
    const before = kept.get(position) ?? 0;
    kept.delete(position);
    return { position, replicas: replicas + before };
  });
  const appended = [...kept].filter(([, replicas]) => replicas !== 0);
  for (const [position, replicas] of kept) shares.push({ position, replicas });
  return { shares, unordered: appended.length > 1 };
}
