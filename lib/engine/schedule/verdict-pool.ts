import type { Verdict } from '../plan.js';

/** Gives the object that stands for a verdict about the cluster of a position: the same one for the same verdict. */
export type VerdictPool = (position: number, verdict: Verdict) => Verdict;

/**
 * A pool for one fleet. A plan of a thousand bindings on a thousand clusters has a million verdicts and some ten thousand
 * different ones; keeping each once is what keeps the plan in memory.
 */
export function createVerdictPool(clusters: number): VerdictPool {
  const pools: (Map<string, Verdict> | undefined)[] = new Array<undefined>(clusters);
  return (position, verdict) => {
    const pool = (pools[position] ??= new Map());
    const known = pool.get(verdict.message);
    if (known !== undefined && isSame(known, verdict)) return known;
    pool.set(verdict.message, verdict);
    return verdict;
  };
}

function isSame(a: Verdict, b: Verdict): boolean {
  return (
    a.cluster === b.cluster && a.chosen === b.chosen && a.code === b.code && a.cause === b.cause
  );
}
