/**
 * @module Selection: honours spread constraints. The only step that can find a placement's bounds unsatisfiable.
 */
import type { ResourceBindingSpec } from '../../../api/resource-binding.js';
import type { Candidates } from '../candidates.js';
import { isMultiTemplate } from '../components.js';
import type { FleetIndex } from '../fleet-index.js';
import type { Gates } from '../gates.js';
import { failSpread, succeed, type Attempt } from '../outcome.js';
import type { CompiledPlacement } from '../placement.js';
import type { Trace } from '../trace.js';
import { selectByCluster } from './by-cluster.js';
import { selectByRegion } from './by-region.js';
import { inStandardOrder } from './standard-order.js';

/**
 * The clusters that take part, in the order that counts for the result. Source: scheduling reference §10.3.
 *
 * | constraints | selection |
 * |---|---|
 * | none, or divided by static weights | all candidates |
 * | by region | regions, then clusters in them |
 * | by cluster | clusters |
 * | by zone, provider or label alone | an error: they spread nothing |
 */
export function selectClusters(
  fleet: FleetIndex,
  placement: CompiledPlacement,
  spec: ResourceBindingSpec,
  candidates: Candidates,
  context: { readonly gates: Gates; readonly trace?: Trace | undefined },
): Attempt<Int32Array> {
  const ordered = inStandardOrder(candidates, candidates.positions);
  if (!placement.hasConstraints || placement.ignoresSpread) return succeed(ordered);
  const { gates, trace } = context;
  const region = placement.constraints.get('region');
  const cluster = placement.constraints.get('cluster');
  const isSets =
    gates.MultiplePodTemplatesScheduling && isMultiTemplate(placement, spec.components ?? []);
  const replicas = spec.replicas ?? 0;
  const isDuplicated = placement.ignoresResources;
  if (region !== undefined) {
    return selectByRegion(
      fleet,
      ordered,
      candidates,
      { region, cluster },
      { replicas, isDuplicated },
      trace,
    );
  }
  if (cluster === undefined) return failSpread('just support cluster and region spread constraint');
  return selectByCluster(
    ordered,
    candidates,
    cluster,
    isDuplicated ? undefined : isSets ? 1 : replicas,
    (position) => fleet.clusters[position]?.name ?? '',
  );
}
