import type { TargetCluster } from '../../../api/resource-binding.js';
import { compareBy, descending, inOrder } from '../../compare.js';
import type { Candidates } from '../candidates.js';
import type { FleetIndex } from '../fleet-index.js';
import type { Target } from '../outcome.js';
import type { CompiledPlacement } from '../placement.js';

/** Fields of which a group can be left without replicas, the wider one first. */
const FIELDS = ['region', 'cluster'] as const;

export interface GroupLack {
  readonly field: (typeof FIELDS)[number];
  readonly wanted: number;
  /** Names of the groups that hold replicas, sorted; fewer than `wanted`. */
  readonly groups: readonly string[];
}

/**
 * A division in which as many groups hold replicas as `minGroups` of each constraint asks for, as far as replicas and room
 * allow; the target itself where that is so already. Selection picks enough groups, but division by room may give a small
 * one nothing.
 *
 * Each missing group gets one replica, on its first cluster in selection order that has room; it comes from the cluster with
 * most replicas (ties: first by name) whose own group does not become empty by it. What goes in comes out. Beyond Karmada
 * (ADR 0131).
 */
export function keepGroups(
  fleet: FleetIndex,
  placement: CompiledPlacement,
  selected: Int32Array,
  { available }: Pick<Candidates, 'available'>,
  target: Target,
): Target {
  let kept = target;
  for (const field of FIELDS) {
    const min = placement.constraints.get(field)?.min ?? 0;
    // As many clusters as groups hold replicas at least, so that nothing is missing by clusters alone.
    if (min < 2 || (field === 'cluster' && kept.clusters.length >= min)) continue;
    kept = keepField(fleet, field, min, selected, available, kept);
  }
  return kept;
}

/** Constraints that a division does not keep, wider ones first; empty: all are kept. */
export function lacksOf(
  fleet: FleetIndex,
  { constraints, ignoresSpread }: CompiledPlacement,
  clusters: readonly TargetCluster[],
): readonly GroupLack[] {
  if (ignoresSpread) return [];
  return FIELDS.flatMap((field) => {
    const wanted = constraints.get(field)?.min ?? 0;
    if (wanted < 2) return [];
    const groups = new Set<string>();
    for (const { name, replicas = 0 } of clusters) {
      const position = fleet.positionOf.get(name);
      if (replicas > 0 && position !== undefined) groups.add(groupOf(fleet, field, position));
    }
    groups.delete('');
    return groups.size < wanted ? [{ field, wanted, groups: [...groups].sort() }] : [];
  });
}

interface Holder {
  readonly name: string;
  readonly group: string;
  replicas: number;
}

const mostFirst = inOrder<Holder>(
  descending(compareBy(({ replicas }) => replicas)),
  compareBy(({ name }) => name),
);

function keepField(
  fleet: FleetIndex,
  field: GroupLack['field'],
  min: number,
  selected: Int32Array,
  available: Float64Array,
  target: Target,
): Target {
  const raised: string[] = [...(target.raised ?? [])];
  const holders = holdersOf(fleet, field, target);
  const sums = new Map<string, number>();
  for (const { group, replicas } of holders) sums.set(group, (sums.get(group) ?? 0) + replicas);
  sums.delete('');
  if (sums.size >= min) return target;
  for (const position of selected) {
    if (sums.size >= min) break;
    const group = groupOf(fleet, field, position);
    if (group === '' || sums.has(group) || (available[position] ?? 0) < 1) continue;
    const giver = holders
      .filter((holder) => (sums.get(holder.group) ?? Infinity) > 1 && holder.replicas > 0)
      .sort(mostFirst)[0];
    if (giver === undefined) break;
    giver.replicas -= 1;
    sums.set(giver.group, (sums.get(giver.group) ?? 0) - 1);
    sums.set(group, 1);
    const name = fleet.clusters[position]?.name ?? '';
    holders.push({ name, group, replicas: 1 });
    raised.push(name);
  }
  const clusters = holders
    .filter(({ replicas }) => replicas > 0)
    .map(({ name, replicas }) => ({ name, replicas }));
  return { clusters, unordered: target.unordered, raised };
}

function holdersOf(fleet: FleetIndex, field: GroupLack['field'], { clusters }: Target): Holder[] {
  return clusters.map(({ name, replicas = 0 }) => {
    const group = groupOf(fleet, field, fleet.positionOf.get(name) ?? -1);
    return { name, group, replicas };
  });
}

/** Name of the group; empty: none. */
function groupOf(fleet: FleetIndex, field: GroupLack['field'], position: number): string {
  return fleet.clusters[position]?.[field === 'region' ? 'region' : 'name'] ?? '';
}
