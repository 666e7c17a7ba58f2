import { compareBy, compareStrings, descending, inOrder, sorted } from '../../compare.js';
import type { Candidates } from '../candidates.js';
import type { FleetIndex } from '../fleet-index.js';
import { failSpread, succeed, type Attempt, type SpreadLack } from '../outcome.js';
import type { Bounds } from '../placement.js';
import type { Trace } from '../trace.js';
import { chooseGroups, type Group } from './choose-groups.js';
import { scoreGroup, type GroupDemand } from './group-score.js';
import { inStandardOrder } from './standard-order.js';

interface Region extends Group {
  /** In standard order. */
  readonly positions: readonly number[];
}

/**
 * One cluster of each chosen region, then more of these regions' clusters up to the cluster constraint's maximum. Whether
 * they have room together is not checked here, as in Karmada. Source: scheduling reference §10.5.
 */
export function selectByRegion(
  fleet: FleetIndex,
  ordered: Int32Array,
  candidates: Candidates,
  bounds: { readonly region: Bounds; readonly cluster: Bounds | undefined },
  demand: Pick<GroupDemand, 'replicas' | 'isDuplicated'>,
  trace?: Trace,
): Attempt<Int32Array> {
  const { region, cluster } = bounds;
  const minClusters = cluster?.min ?? 0;
  const scored = regionsOf(fleet, ordered, candidates, {
    ...demand,
    minGroups: region.min,
    minClusters,
  });
  if (scored.length < region.min) {
    return failSpread('the number of feasible region is less than spreadConstraint.MinGroups', {
      field: 'region',
      wanted: region.min,
      got: scored.length,
      names: scored.map(({ name }) => name).sort(compareStrings),
    });
  }
  const chosen = chooseGroups(scored, { ...region, target: minClusters });
  trace?.regions(scored, chosen ?? []);
  if (chosen === undefined) {
    return failSpread(
      'the number of clusters is less than the cluster spreadConstraint.MinGroups',
      lackOfClusters(fleet, scored, region.max, minClusters),
    );
  }
  const heads = chosen.map(({ positions }) => positions[0] as number);
  const others = chosen.flatMap(({ positions }) => positions.slice(1));
  const need = Math.min(heads.length + others.length, cluster?.max ?? 0) - heads.length;
  if (need <= 0) return succeed(Int32Array.from(heads));
  return succeed(
    Int32Array.from([...heads, ...inStandardOrder(candidates, others).subarray(0, need)]),
  );
}

/** The clusters of the largest regions, as many regions as may be chosen. */
function lackOfClusters(
  fleet: FleetIndex,
  regions: readonly Region[],
  maxRegions: number,
  wanted: number,
): SpreadLack {
  const largest = sorted(
    regions,
    inOrder<Region>(
      descending(compareBy(({ value }) => value)),
      compareBy(({ name }) => name),
    ),
  ).slice(0, Math.max(0, maxRegions));
  const names = largest
    .flatMap(({ positions }) => positions.map((p) => fleet.clusters[p]?.name ?? ''))
    .sort(compareStrings);
  return { field: 'cluster', wanted, got: names.length, names };
}

function regionsOf(
  fleet: FleetIndex,
  ordered: Int32Array,
  candidates: Candidates,
  demand: GroupDemand,
): Region[] {
  const members: (number[] | undefined)[] = new Array<undefined>(fleet.regions.length);
  for (const position of ordered) {
    const region = fleet.regionOf[position] as number;
    if (region >= 0) (members[region] ??= []).push(position);
  }
  return members.flatMap((positions, region) =>
    positions === undefined
      ? []
      : {
          name: fleet.regions[region] as string,
          value: positions.length,
          weight: scoreGroup(positions, candidates, demand),
          positions,
        },
  );
}
