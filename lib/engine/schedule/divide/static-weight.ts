import type { ClusterFacts } from '../cluster-facts.js';
import type { CompiledPlacement } from '../placement.js';
import type { DivisionTrace } from './division-trace.js';
import { apportionShares } from './apportion-shares.js';
import type { Division, DivisionInput, Share } from './shares.js';

/**
 * Divide by fixed weights; neither room nor the previous result counts. A cluster's weight is the greatest among the rules
 * that match it; unmatched clusters get nothing, unless no cluster is matched: then all weigh the same.
 * Source: scheduling reference §11.4.
 */
export function divideByStaticWeight(
  clusters: readonly ClusterFacts[],
  { weights }: CompiledPlacement,
  input: DivisionInput,
  trace?: DivisionTrace,
): Division {
  const weighted: Share[] = [];
  for (let i = 0; i < input.selected.length; i += 1) {
    const position = input.selected[i] as number;
    const weight = weightOf(clusters[position], weights);
    if (weight > 0) weighted.push({ position, replicas: weight });
  }
  const parties =
    weighted.length > 0
      ? weighted
      : Array.from(input.selected, (position) => ({ position, replicas: 1 }));
  const shares = apportionShares(
    input.replicas,
    parties,
    input.largerNameWins,
    trace,
    'static weights',
  );
  return { shares, unordered: false };
}

function weightOf(
  cluster: ClusterFacts | undefined,
  weights: CompiledPlacement['weights'],
): number {
  if (weights === undefined || cluster === undefined) return 1;
  let greatest = 0;
  for (const { matches, weight } of weights)
    if (weight > greatest && matches(cluster)) greatest = weight;
  return greatest;
}
