/** @module Scores: how good each feasible cluster is; the sum over the scorers, with no weights and no normalisation. */
import type { ClusterFacts } from '../cluster-facts.js';
import type { Subject } from '../subject.js';
import { clusterAffinityScore } from './cluster-affinity.js';
import { clusterLocality } from './cluster-locality.js';
import type { Scorer } from './scorer.js';

export type { Scorer } from './scorer.js';

export const SCORERS: readonly Scorer[] = [clusterAffinityScore, clusterLocality];

export function scoreOf(subject: Subject, cluster: ClusterFacts): number {
  let sum = 0;
  for (const scorer of SCORERS) sum += scorer.score(subject, cluster);
  return sum;
}
