import type { Seat } from './divide/apportion.js';
import type { Group } from './select/choose-groups.js';

/** How one division went: who had which weight and got how many, and the seat that decided. */
export interface DivisionStep {
  /** `duplicated`, `static weights`, `scale up`, `scale down`, `fresh`, `unchanged`, `tier 1: scale up`, … */
  readonly title: string;
  /** Replicas given out in this step. */
  readonly replicas: number;
  /** By name: the weight it took part with and what it got. */
  readonly parties: readonly {
    readonly cluster: string;
    readonly weight: number;
    readonly got: number;
  }[];
  /** The last replica given: whose it was, and who was next in line. */
  readonly lastSeat?: Seat;
}

/** The numbers behind one decision, for `explain`. */
export interface Explanation {
  /** Feasible clusters in standard order. */
  readonly candidates: readonly CandidateNumbers[];
  readonly regions?: { readonly scored: readonly Group[]; readonly chosen: readonly string[] };
  /** Names, in selection order. */
  readonly selected: readonly string[];
  readonly division: readonly DivisionStep[];
}

export interface CandidateNumbers {
  readonly cluster: string;
  readonly score: number;
  readonly allocatable: number;
  readonly available: number;
  readonly tier?: number;
}
