import { compareNumbers, sorted } from '../compare.js';
import type { KeptEntry } from './kept.js';

/** What history needs to know of a kept revision. */
export type KeptStep = Pick<KeptEntry, 'revision' | 'restores'>;

const OLDEST_FIRST = (a: KeptStep, b: KeptStep): number => compareNumbers(a.revision, b.revision);

/**
 * The states that plain rollbacks walk back through, oldest first; the last is the one of the newest revision. As with an
 * editor's undo, a rollback takes away what it went back over: after 1, 2, 3 and a rollback to 2 the history is 1, 2, and
 * what is rolled out next comes after 2. A state that was left that way is only reached by its number (ADR 0136).
 *
 * A state is named by the revision that first had it, or by the newest that brought it back if the first is not kept any more.
 */
export function historyOf(steps: readonly KeptStep[]): readonly number[] {
  const known = new Set(steps.map(({ revision }) => revision));
  const origins = new Map(steps.map((one) => [one.revision, one.restores ?? one.revision]));
  let history: readonly number[] = [];
  for (const { revision, restores = revision } of sorted(steps, OLDEST_FIRST)) {
    const state = known.has(restores) ? restores : revision;
    const at = history.findIndex((one) => origins.get(one) === restores);
    history = [...(at === -1 ? history : history.slice(0, at)), state];
  }
  return history;
}

/** The state before the newest one; `undefined`: there is none that was not left by a rollback. */
export function beforeNewest(steps: readonly KeptStep[]): number | undefined {
  return historyOf(steps).at(-2);
}
