import type { ResourceBindingSpec } from '../../../api/resource-binding.js';
import { compileAffinity } from '../affinity.js';
import type { ClusterFacts } from '../cluster-facts.js';
import type { FleetIndex } from '../fleet-index.js';
import { boundFinder } from './bounds.js';
import type { PlacementHints } from './hints.js';

/**
 * Whether a target list keeps the hints about replicas. One that does not is decided again, as after a changed placement;
 * hints are not part of a placement, so nothing else would notice.
 */
export function keepsHints(
  fleet: FleetIndex,
  spec: ResourceBindingSpec,
  hints: PlacementHints,
): boolean {
  const { clusters = [], placement } = spec;
  const isDivided = fleet.compile(placement ?? {}).strategy !== 'Duplicated';
  if (!isDivided || (spec.replicas ?? 0) === 0 || clusters.length === 0) return true;
  const held = clusters.flatMap(({ name, replicas = 0 }) => {
    const position = fleet.positionOf.get(name);
    const cluster = position === undefined ? undefined : fleet.clusters[position];
    return cluster === undefined ? [] : [{ cluster, replicas }];
  });
  return isEven(held, hints) && areWithinBounds(held, hints) && areInGroups(held, hints);
}

interface Held {
  readonly cluster: ClusterFacts;
  readonly replicas: number;
}

function isEven(held: readonly Held[], { division, bounds, groups }: PlacementHints): boolean {
  // With bounds or groups, even shares need not be equal: the next decision tells.
  if (division !== 'even' || bounds !== undefined || groups !== undefined) return true;
  const counts = held.map(({ replicas }) => replicas);
  return Math.max(...counts) - Math.min(...counts) <= 1;
}

function areWithinBounds(held: readonly Held[], { bounds }: PlacementHints): boolean {
  if (bounds === undefined) return true;
  const boundOf = boundFinder(bounds);
  return held.every(({ cluster, replicas }) => {
    const { min, max } = boundOf(cluster);
    return replicas >= min && replicas <= max;
  });
}

function areInGroups(held: readonly Held[], { groups }: PlacementHints): boolean {
  if (groups === undefined) return true;
  const matchers = groups.map(({ targetCluster }) => compileAffinity(targetCluster));
  const sums = groups.map(() => 0);
  for (const { cluster, replicas } of held) {
    const index = matchers.findIndex((matches) => matches(cluster));
    if (index < 0) return false;
    sums[index] = (sums[index] ?? 0) + replicas;
  }
  return groups.every(({ replicas }, index) => sums[index] === replicas);
}
