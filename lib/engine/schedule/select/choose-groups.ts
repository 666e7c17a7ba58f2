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
 * place. Karmada records all of them and sorts; here the depth-first search keeps the best and cuts off branches that
 * cannot beat it, with the same answer (ADR 0021). Source: scheduling reference §10.7.
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
  if (best === undefined) return undefined;
  return shortestRecordedLead(best, ordered, bounds);
}

const byImportance = inOrder<Group>(descending(compareBy((group) => group.weight)), (a, b) =>
  compareStrings(a.name, b.name),
);

/** Indices of the best recorded path, ascending. */
function bestPath(ordered: readonly Group[], bounds: GroupBounds): readonly number[] | undefined {
  const { min, max, target } = bounds;
  const count = ordered.length;
  // With as many groups as are needed at least, Karmada follows only the first extension at every node.
  const isSinglePath = count === min;
  const heaviest = topSums(
    ordered.map(({ weight }) => weight),
    max,
  );
  const largest = topSums(
    ordered.map(({ value }) => value),
    max,
  );
  let best:
    | { readonly path: readonly number[]; readonly weight: number; readonly value: number }
    | undefined;
  const path: number[] = [];

  const visit = (next: number, weight: number, value: number): void => {
    if (value >= target && path.length >= min && path.length <= max) {
      const isBetter =
        best === undefined ||
        weight > best.weight ||
        (weight === best.weight && value > best.value);
      if (isBetter) best = { path: [...path], weight, value };
      return;
    }
    if (path.length >= max) return;
    const end = isSinglePath ? Math.min(next + 1, count) : count;
    for (let index = next; index < end; index += 1) {
      const room = max - path.length;
      const mostValue = value + sumOf(largest[index], room);
      if (mostValue < target || path.length + count - index < min) break;
      const mostWeight = weight + sumOf(heaviest[index], room);
      if (best !== undefined) {
        if (mostWeight < best.weight) break;
        if (mostWeight === best.weight && mostValue <= best.value) break;
      }
      const group = ordered[index] as Group;
      path.push(index);
      visit(index + 1, weight + group.weight, value + group.value);
      path.pop();
    }
  };

  visit(0, 0, 0);
  return best?.path;
}

/** `sums[i][k]`: the largest sum of k entries from i on, up to as many as there are; all are 0 or more. */
function topSums(values: readonly number[], most: number): number[][] {
  const sums: number[][] = [];
  const top: number[] = [];
  for (let start = values.length - 1; start >= 0; start -= 1) {
    top.push(values[start] as number);
    top.sort((a, b) => b - a);
    top.length = Math.min(top.length, Math.max(0, most));
    const row = [0];
    for (const value of top) row.push((row.at(-1) ?? 0) + value);
    sums[start] = row;
  }
  return sums;
}

function sumOf(row: readonly number[] | undefined, entries: number): number {
  return row?.[Math.min(entries, row.length - 1)] ?? 0;
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
  if (ordered.length === min && indices.length < min) return false;
  let value = 0;
  for (let length = 1; length <= indices.length; length += 1) {
    value += ordered[indices[length - 1] as number]?.value ?? 0;
    const isFeasible = value >= target && length >= min && length <= max;
    if (isFeasible) return length === indices.length;
  }
  return false;
}
