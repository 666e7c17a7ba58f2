/**
 * @module Beyond Karmada: even shares, replica bounds, counts per group and soft spread, where a policy asks for them.
 *
 * They wrap Karmada's selection and division and are absent from the path of a binding without hints.
 */
import type { ResourceBindingSpec, TargetCluster } from '../../../api/resource-binding.js';
import { compileAffinity } from '../affinity.js';
import type { Candidates } from '../candidates.js';
import { largerNameWins } from '../divide/apportion.js';
import type { DivideContext } from '../divide/index.js';
import type { FleetIndex } from '../fleet-index.js';
import { fail, prefixed, succeed, type Attempt } from '../outcome.js';
import { place, type Placed } from '../place.js';
import type { CompiledPlacement } from '../placement.js';
import { boundFinder, boundShares, type BoundedParty } from './bounds.js';
import type { PlacementHints, ReplicaGroup } from './hints.js';
import { debtsOf, soften, type SpreadDebt } from './soft-spread.js';

export interface HintedPlaced extends Placed {
  readonly debts: readonly SpreadDebt[];
}

/**
 * Select and divide with hints. Hints about replicas do nothing for kinds without, for `Duplicated`, and for workloads of
 * several components: there is nothing to divide.
 */
export function placeWithHints(
  fleet: FleetIndex,
  placement: CompiledPlacement,
  spec: ResourceBindingSpec,
  candidates: Candidates,
  context: DivideContext & { readonly hints: PlacementHints },
): Attempt<HintedPlaced> {
  const { hints } = context;
  const isDivided =
    (spec.replicas ?? 0) > 0 &&
    (spec.components ?? []).length <= 1 &&
    placement.strategy !== 'Duplicated';
  if (hints.groups === undefined || !isDivided) {
    return placePart(fleet, placement, spec, candidates, { ...context, isDivided });
  }
  return placeGroups(fleet, spec, candidates, hints.groups, (part, members) =>
    placePart(
      fleet,
      placement,
      part,
      { ...candidates, positions: members },
      { ...context, isDivided },
    ),
  );
}

function placePart(
  fleet: FleetIndex,
  placement: CompiledPlacement,
  spec: ResourceBindingSpec,
  candidates: Candidates,
  context: DivideContext & { readonly hints: PlacementHints; readonly isDivided: boolean },
): Attempt<HintedPlaced> {
  const { hints, isDivided } = context;
  const even = isDivided && hints.division === 'even' ? withEvenShares(placement) : placement;
  const softened = hints.spread === 'soft' ? soften(fleet, even, candidates) : even;
  const placed = place(fleet, softened, spec, candidates, context);
  if (!placed.ok) return placed;
  const debts = hints.spread === 'soft' ? debtsOf(fleet, even, placed.value.selected) : [];
  if (hints.bounds === undefined || !isDivided) return succeed({ ...placed.value, debts });
  const bounded = withinBounds(fleet, even, spec, candidates, placed.value, hints.bounds);
  return bounded.ok
    ? succeed({ ...bounded.value, debts })
    : prefixed('failed to assign replicas: ', bounded);
}

/** Equal weights that honour spread constraints; capacity counts in the selection only where it did before. */
function withEvenShares(placement: CompiledPlacement): CompiledPlacement {
  const { weights: _weights, ...rest } = placement;
  return {
    ...rest,
    strategy: 'StaticWeight',
    ignoresSpread: false,
    ignoresResources: placement.strategy === 'StaticWeight' || placement.ignoresResources,
  };
}

function withinBounds(
  fleet: FleetIndex,
  { strategy }: CompiledPlacement,
  spec: ResourceBindingSpec,
  { available }: Candidates,
  { target, selected }: Placed,
  bounds: NonNullable<PlacementHints['bounds']>,
): Attempt<Placed> {
  const shares = new Map(target.clusters.map(({ name, replicas = 0 }) => [name, replicas]));
  const boundOf = boundFinder(bounds);
  const heedsRoom = strategy === 'DynamicWeight' || strategy === 'Aggregated';
  const parties: BoundedParty[] = [];
  for (const position of [...selected].sort((a, b) => a - b)) {
    const cluster = fleet.clusters[position];
    const share = shares.get(cluster?.name ?? '') ?? 0;
    // Aggregated wants few clusters: a minimum must not drag in the others.
    if (cluster === undefined || (strategy === 'Aggregated' && share === 0)) continue;
    const { min, max } = boundOf(cluster);
    const room = heedsRoom ? Math.max(share, available[position] ?? 0) : Infinity;
    parties.push({ position, share, min, max: Math.max(min, Math.min(max, room)) });
  }
  const bounded = boundShares(spec.replicas ?? 0, parties, largerNameWins(spec.resource.uid ?? ''));
  if (!bounded.ok) return bounded;
  const clusters = bounded.value
    .filter(({ replicas }) => replicas > 0)
    .map(({ position, replicas }) => ({ name: fleet.clusters[position]?.name ?? '', replicas }));
  return succeed({ target: { clusters, unordered: false }, selected });
}

function placeGroups(
  fleet: FleetIndex,
  spec: ResourceBindingSpec,
  candidates: Candidates,
  groups: readonly ReplicaGroup[],
  placeGroup: (part: ResourceBindingSpec, members: Int32Array) => Attempt<HintedPlaced>,
): Attempt<HintedPlaced> {
  const total = groups.reduce((sum, { replicas }) => sum + replicas, 0);
  if (total !== (spec.replicas ?? 0)) {
    return fail(
      `the replica groups ask for ${total} replicas, the template has ${spec.replicas ?? 0}`,
    );
  }
  const matchers = groups.map(({ targetCluster }) => compileAffinity(targetCluster));
  const groupOf = fleet.clusters.map((cluster) =>
    matchers.findIndex((matches) => matches(cluster)),
  );
  const clusters: TargetCluster[] = [];
  const selected: number[] = [];
  const debts: SpreadDebt[] = [];
  for (const [index, { name, replicas }] of groups.entries()) {
    if (replicas === 0) continue;
    const members = candidates.positions.filter((position) => groupOf[position] === index);
    if (members.length === 0)
      return fail(`replica group ${name}: no cluster that fits belongs to it`);
    const placed = prefixed(`replica group ${name}: `, placeGroup({ ...spec, replicas }, members));
    if (!placed.ok) return placed;
    clusters.push(...placed.value.target.clusters);
    selected.push(...placed.value.selected);
    debts.push(...placed.value.debts);
  }
  return succeed({
    target: { clusters, unordered: false },
    selected: Int32Array.from(selected),
    debts,
  });
}
