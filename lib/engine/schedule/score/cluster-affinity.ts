import type { Scorer } from './scorer.js';

/** All clusters that match are alike to it. Source: scheduling reference §8. */
export const clusterAffinityScore: Scorer = { name: 'ClusterAffinity', score: () => 0 };
