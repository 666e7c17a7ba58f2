import type { TargetCluster } from '../../api/resource-binding.js';

/** Groups that a spread constraint wants and the clusters that fit do not make up. */
export interface SpreadLack {
  readonly field: 'cluster' | 'region';
  readonly wanted: number;
  /** Most groups that can be had together. */
  readonly got: number;
  /** Names of the groups there are, sorted. */
  readonly names: readonly string[];
}

/** Why a scheduling cycle ended without a result; the text is Karmada's, word for word. */
export interface ScheduleError {
  /** `FitError`: no cluster passes the filters. `UnschedulableError`: not enough room. `Error`: anything else. */
  readonly type: 'FitError' | 'UnschedulableError' | 'Error';
  readonly message: string;
  /** A spread constraint asks for more groups or clusters than there are to choose from; not of room. */
  readonly isSpread?: true;
  /** With `isSpread`: the groups that were asked for and those there are to choose from; absent: the constraints alone are at fault. */
  readonly lack?: SpreadLack;
  /** As many clusters as a constraint allows have too little room; `UnschedulableError` says the same of all of them. */
  readonly isRoom?: true;
}

/** The result of one step of the cycle. */
export type Attempt<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ScheduleError };

export function succeed<T>(value: T): Attempt<T> {
  return { ok: true, value };
}

export function fail<T>(message: string, type: ScheduleError['type'] = 'Error'): Attempt<T> {
  return { ok: false, error: { type, message } };
}

/** A spread constraint that the fleet cannot meet, however much room it has. */
export function failSpread<T>(message: string, lack?: SpreadLack): Attempt<T> {
  const error = { type: 'Error', message, isSpread: true } as const;
  return { ok: false, error: lack === undefined ? error : { ...error, lack } };
}

/** The same error, named after the step it happened in. */
export function prefixed<T>(prefix: string, attempt: Attempt<T>): Attempt<T> {
  if (attempt.ok) return attempt;
  return { ok: false, error: { ...attempt.error, message: `${prefix}${attempt.error.message}` } };
}

/** Clusters with their shares; entries without replicas have no `replicas`. */
export interface Target {
  readonly clusters: readonly TargetCluster[];
  /** The order of the list has no meaning in Karmada: two or more kept clusters were appended. */
  readonly unordered: boolean;
  /** Clusters that have one replica only for the sake of `minGroups`. */
  readonly raised?: readonly string[];
}
