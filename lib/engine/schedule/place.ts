import type { ResourceBindingSpec } from '../../api/resource-binding.js';
import type { Candidates } from './candidates.js';
import { assignReplicas, type DivideContext } from './divide/index.js';
import { keepGroups } from './divide/keep-groups.js';
import type { FleetIndex } from './fleet-index.js';
import { prefixed, succeed, type Attempt, type Target } from './outcome.js';
import type { CompiledPlacement } from './placement.js';
import { selectClusters } from './select/index.js';

/** A target list with the selection it was made from. */
export interface Placed {
  readonly target: Target;
  /** Positions in selection order. */
  readonly selected: Int32Array;
}

/** Select clusters and divide the replicas among them. Source: scheduling reference §6, steps 5 and 6. */
export function place(
  fleet: FleetIndex,
  placement: CompiledPlacement,
  spec: ResourceBindingSpec,
  candidates: Candidates,
  context: DivideContext,
): Attempt<Placed> {
  const selected = selectClusters(fleet, placement, spec, candidates, context);
  if (!selected.ok) return prefixed('failed to select clusters: ', selected);
  context.trace?.selected(Array.from(selected.value, (p) => fleet.clusters[p]?.name ?? ''));

  const assigned = assignReplicas(fleet, placement, spec, selected.value, candidates, context);
  if (!assigned.ok) return prefixed('failed to assign replicas: ', assigned);
  if (!keepsGroups(placement, spec, context)) {
    return succeed({ target: assigned.value, selected: selected.value });
  }
  const target = keepGroups(fleet, placement, selected.value, candidates, assigned.value);
  return succeed({ target, selected: selected.value });
}

/** What is divided, by a placement with constraints that count. */
function keepsGroups(
  { strategy, hasConstraints, ignoresSpread }: CompiledPlacement,
  { replicas = 0, components = [] }: ResourceBindingSpec,
  { gates }: DivideContext,
): boolean {
  return (
    gates.keepsMinGroups &&
    hasConstraints &&
    !ignoresSpread &&
    strategy !== 'Duplicated' &&
    replicas > 1 &&
    components.length <= 1
  );
}
