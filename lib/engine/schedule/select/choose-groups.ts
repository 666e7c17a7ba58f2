import { compareBy, compareStrings, descending, inOrder, sorted } from '../../compare.js';

export interface Group {
  readonly name: string;
  /** Clusters in it, 1 or more. */
  readonly value: number;
  /** Score, 0 or more. */
  readonly weight: number;
}

export interface GroupBounds {
  readonly min: number;
  readonly max: number;
  /** Clusters that the chosen groups must have together. */
  readonly target: number;
}

/**
 * The groups to use, heaviest first, or `undefined` when no combination is feasible.
 *
 * A combination is recorded as soon as it is feasible and is not extended further; the heaviest recorded one wins, then the
 * one with more clusters, then the first in depth-first order; then the shortest recorded leading part of it takes its
 * place. Karmada records all of them and sorts; here the best completion of each state (next group, how many taken, how many
 * clusters) is found once, with the same answer in polynomial time (ADR 0021). Source: scheduling reference §10.7.
 */
export function chooseGroups<G extends Group>(
  groups: readonly G[],
  bounds: GroupBounds,
): readonly G[] | undefined {
  const ordered = sorted(
    groups,
    inOrder<G>(
      compareBy((group) => group.value),
      descending(compareBy((group) => group.weight)),
      (a, b) => compareStrings(a.name, b.name),
    ),
  );
  const best = bestPath(ordered, bounds);
  return best && shortestRecordedLead(best, ordered, bounds);
}

const byImportance = inOrder<Group>(descending(compareBy((group) => group.weight)), (a, b) =>
  compareStrings(a.name, b.name),
);

/** The best way to complete a path that is not feasible yet. */
interface Completion {
  readonly weight: number;
  readonly value: number;
  /** Whether it begins with the group that the state stands at. */
  readonly isTaken: boolean;
}

/** Indices of the best recorded path, ascending. */
function bestPath(ordered: readonly Group[], bounds: GroupBounds): readonly number[] | undefined {
  const { min, max, target } = bounds;
  const count = ordered.length;
  const isFeasible = (length: number, value: number): boolean =>
    value >= target && length >= min && length <= max;
  if (isFeasible(0, 0)) return [];
  const known = new Map<number, Completion | undefined>();
  const complete = (index: number, length: number, value: number): Completion | undefined => {
    if (index >= count || length >= max || length + count - index < min) return undefined;
    const key = (index * (count + 1) + length) * (target + 1) + value;
    if (known.has(key)) return known.get(key);
    const found = better(take(index, length, value), complete(index + 1, length, value));
    known.set(key, found);
    return found;
  };
  const take = (index: number, length: number, value: number): Completion | undefined => {
    const group = ordered[index] as Group;
    const reached = Math.min(target, value + group.value);
    const alone = { weight: group.weight, value: group.value, isTaken: true };
    if (isFeasible(length + 1, reached)) return alone;
    const rest = complete(index + 1, length + 1, reached);
    return (
      rest && { ...alone, weight: alone.weight + rest.weight, value: alone.value + rest.value }
    );
  };

  const path: number[] = [];
  let value = 0;
  for (let index = 0; !isFeasible(path.length, value); index += 1) {
    const completion = complete(index, path.length, value);
    if (completion === undefined) return undefined;
    if (!completion.isTaken) continue;
    path.push(index);
    value = Math.min(target, value + (ordered[index] as Group).value);
  }
  return path;
}

/** Taking the group comes first in depth-first order, so it wins ties. */
function better(
  taken: Completion | undefined,
  left: Completion | undefined,
): Completion | undefined {
  if (left === undefined) return taken;
  const isTakenBetter =
    taken !== undefined &&
    (taken.weight > left.weight || (taken.weight === left.weight && taken.value >= left.value));
  return isTakenBetter ? taken : { ...left, isTaken: false };
}

/** The path in order of importance, cut to its shortest leading part that was recorded too. */
function shortestRecordedLead<G extends Group>(
  best: readonly number[],
  ordered: readonly G[],
  bounds: GroupBounds,
): readonly G[] {
  const rank = new Map(best.map((index) => [ordered[index] as G, index]));
  const groups = sorted(rank.keys(), byImportance as (a: G, b: G) => number);
  for (let length = Math.max(1, bounds.min); length < groups.length; length += 1) {
    const lead = groups.slice(0, length);
    const indices = lead.map((group) => rank.get(group) as number).sort((a, b) => a - b);
    if (isRecorded(indices, ordered, bounds)) return lead;
  }
  return groups;
}

/** Whether the depth-first search records exactly this set: it is feasible and no leading part of it is. */
function isRecorded(
  indices: readonly number[],
  ordered: readonly Group[],
  { min, max, target }: GroupBounds,
): boolean {
  let value = 0;
  for (let length = 1; length <= indices.length; length += 1) {
    value += ordered[indices[length - 1] as number]?.value ?? 0;
    const isFeasible = value >= target && length >= min && length <= max;
    if (isFeasible) return length === indices.length;
  }
  return false;
}
