import type { ClusterFacts } from '../cluster-facts.js';
import type { Subject } from '../subject.js';

/** One of Karmada's score plugins. */
export interface Scorer {
  /** Karmada's plugin name. */
  readonly name: string;
  /** A whole number from 0 to 100. */
  readonly score: (subject: Subject, cluster: ClusterFacts) => number;
}
