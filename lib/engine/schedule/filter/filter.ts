import type { ClusterFacts } from '../cluster-facts.js';
import type { Subject } from '../subject.js';

/** One of Karmada's filter plugins: an independent predicate that says why a cluster fails. */
export interface Filter {
  /** Karmada's plugin name. */
  readonly name: string;
  /** Karmada's reason, word for word, or `undefined` when the cluster passes. */
  readonly reject: (subject: Subject, cluster: ClusterFacts) => string | undefined;
  /** The same for people, with the values seen; asked only about clusters that fail. */
  readonly explain: (subject: Subject, cluster: ClusterFacts) => string;
}
