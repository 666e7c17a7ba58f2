import type { Candidates } from '../candidates.js';

export interface GroupDemand {
  readonly replicas: number;
  /** Absent strategy or Duplicated: each cluster must hold all replicas. */
  readonly isDuplicated: boolean;
  /** `minGroups` of the constraint that made the group, 1 or more. */
  readonly minGroups: number;
  /** `minGroups` of the cluster constraint, 0 without one. */
  readonly minClusters: number;
}

/**
 * How good a group of clusters is; a higher number is better. Source: scheduling reference §10.6.
 *
 * @param positions the group's clusters in standard order
 */
export function scoreGroup(
  positions: readonly number[],
  candidates: Candidates,
  demand: GroupDemand,
): number {
  return demand.isDuplicated
    ? scoreDuplicated(positions, candidates, demand.replicas)
    : scoreDivided(positions, candidates, demand);
}

function scoreDuplicated(
  positions: readonly number[],
  { available, score }: Candidates,
  replicas: number,
): number {
  let fitting = 0;
  let sum = 0;
  for (const position of positions) {
    if ((available[position] as number) < replicas) continue;
    fitting += 1;
    sum += score[position] as number;
  }
  return fitting === 0 ? 0 : fitting * 1000 + Math.floor(sum / fitting);
}

function scoreDivided(
  positions: readonly number[],
  { available, score }: Candidates,
  { replicas, minGroups, minClusters }: GroupDemand,
): number {
  const target = Math.ceil(replicas / minGroups);
  const clusters = Math.max(minClusters, minGroups);
  let room = 0;
  let sum = 0;
  let count = 0;
  for (const position of positions) {
    room += available[position] as number;
    sum += score[position] as number;
    count += 1;
    if (count >= clusters && room >= target) break;
  }
  if (room < target) return room * 1000 + Math.floor(sum / positions.length);
  return target * 1000 + Math.floor(sum / count);
}
