import type { Scorer } from './scorer.js';

/** Prefers the clusters that the binding has already. Source: scheduling reference §8. */
export const clusterLocality: Scorer = {
  name: 'ClusterLocality',
  score: ({ bound }, { name }) => (bound.has(name) ? 100 : 0),
};
