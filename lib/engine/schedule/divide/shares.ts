/** Replicas of one cluster, by fleet position. */
export interface Share {
  readonly position: number;
  readonly replicas: number;
}

/** What a division works on; one call divides among the clusters given and nothing else. */
export interface DivisionInput {
  /** Selected clusters, in selection order. */
  readonly selected: ArrayLike<number>;
  readonly replicas: number;
  /** Room per cluster position, without what the binding has there. */
  readonly allocatable: Float64Array;
  /** The previous target list in its order, selected clusters only. */
  readonly previous: readonly Share[];
  /** Decide afresh: the previous result counts as room, not as given. */
  readonly isFresh: boolean;
  readonly largerNameWins: boolean;
}

export interface Division {
  readonly shares: readonly Share[];
  /** Two or more kept clusters were appended, in an order without meaning. */
  readonly unordered: boolean;
}

/** Karmada's sums of replicas are 32-bit and wrap around. */
export function sum32(shares: readonly Share[]): number {
  let sum = 0;
  for (const { replicas } of shares) sum = (sum + replicas) | 0;
  return sum;
}
