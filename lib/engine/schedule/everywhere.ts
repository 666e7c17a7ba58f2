import type { ResourceBindingSpec, TargetCluster } from '../../api/resource-binding.js';
import type { PlacementHints } from './beyond/hints.js';
import type { FleetIndex } from './fleet-index.js';
import type { Target } from './outcome.js';
import type { Subject } from './subject.js';
import type { Trace } from './trace.js';

/**
 * The target list of a workload that is duplicated to all feasible clusters, in name order: scores, room and selection
 * have no say in it. `undefined` where they may have one, or where somebody wants to see them.
 *
 * What the binding has already is returned itself where it says the same.
 */
export function tryEverywhere(
  fleet: FleetIndex,
  { spec, placement }: Subject,
  feasible: Int32Array,
  {
    anyOrder,
    hints,
    trace,
  }: {
    readonly anyOrder?: boolean | undefined;
    readonly hints?: PlacementHints | undefined;
    readonly trace?: Trace | undefined;
  },
): Target | undefined {
  const { replicas = 0, components = [] } = spec;
  const isPlain =
    placement.strategy === 'Duplicated' &&
    !placement.hasConstraints &&
    placement.terms.length === 0 &&
    components.length <= 1 &&
    replicas > 0;
  if (anyOrder !== true || !isPlain || hints !== undefined || trace !== undefined) return undefined;
  const clusters = isAsBefore(fleet, spec, feasible)
    ? (spec.clusters ?? [])
    : Array.from(feasible, (p): TargetCluster => ({ name: nameOf(fleet, p), replicas }));
  return { clusters, unordered: false };
}

function isAsBefore(
  fleet: FleetIndex,
  { clusters = [], replicas }: ResourceBindingSpec,
  feasible: Int32Array,
): boolean {
  return (
    clusters.length === feasible.length &&
    clusters.every(
      (cluster, i) =>
        cluster.replicas === replicas && cluster.name === nameOf(fleet, feasible[i] ?? -1),
    )
  );
}

function nameOf(fleet: FleetIndex, position: number): string {
  return fleet.clusters[position]?.name ?? '';
}
