import type { Diagnostic } from '../../diagnostic.js';
import type { Candidates } from '../candidates.js';
import type { FleetIndex } from '../fleet-index.js';
import type { Bounds, CompiledPlacement } from '../placement.js';

/** Groups that a spread constraint asks for and that are not there. */
export interface SpreadDebt {
  readonly field: 'cluster' | 'region';
  readonly wanted: number;
  readonly got: number;
}

/**
 * The placement with `minGroups` lowered to what the candidates allow. Where they allow all, it is the placement itself, so
 * a soft spread decides as a hard one does as long as that can be kept.
 */
export function soften(
  fleet: FleetIndex,
  placement: CompiledPlacement,
  candidates: Candidates,
): CompiledPlacement {
  const region = placement.constraints.get('region');
  const cluster = placement.constraints.get('cluster');
  const sizes = regionSizes(fleet, candidates);
  const softened = new Map(placement.constraints);
  if (region !== undefined) softened.set('region', atMost(region, sizes.length));
  if (cluster !== undefined) {
    const reachable =
      region === undefined
        ? candidates.positions.length
        : sizes.slice(0, Math.max(0, region.max)).reduce((sum, size) => sum + size, 0);
    softened.set('cluster', atMost(cluster, reachable));
  }
  return { ...placement, constraints: softened };
}

/** What is owed: constraints whose `minGroups` the selection does not reach. */
export function debtsOf(
  fleet: FleetIndex,
  { constraints }: CompiledPlacement,
  selected: Int32Array,
): readonly SpreadDebt[] {
  const regions = new Set(Array.from(selected, (p) => fleet.regionOf[p]).filter((r) => r !== -1));
  const got = { cluster: selected.length, region: regions.size };
  return (['cluster', 'region'] as const).flatMap((field) => {
    const wanted = constraints.get(field)?.min ?? 0;
    return got[field] < wanted ? { field, wanted, got: got[field] } : [];
  });
}

/** What is owed, for people; about a template, the caller adds which. */
export function debtFindings(debts: readonly SpreadDebt[]): readonly Diagnostic[] {
  return debts.map(({ field, wanted, got }) => ({
    code: 'SPREAD_DEBT',
    severity: 'warning',
    summary: `The placement wants ${wanted} ${field}s and takes ${got}, because no more fit.`,
    hint: `Add ${field}s that fit, or lower \`minGroups\` of the ${field} constraint.`,
  }));
}

function atMost({ min, max }: Bounds, available: number): Bounds {
  return { min: Math.max(1, Math.min(min, available)), max };
}

/** Candidates per region, largest first. */
function regionSizes(fleet: FleetIndex, { positions }: Candidates): number[] {
  const sizes = new Map<number, number>();
  for (const position of positions) {
    const region = fleet.regionOf[position] ?? -1;
    if (region >= 0) sizes.set(region, (sizes.get(region) ?? 0) + 1);
  }
  return [...sizes.values()].sort((a, b) => b - a);
}
