import { compareBy } from './compare.js';
import type { Labels, LabelSelector } from './label-selector.js';

/** Things that require labels, to be found from the labels of an object without looking at all of them. */
export interface PairIndex<T> {
  /** Under the `key=value` that fewest others require. */
  readonly byPair: ReadonlyMap<string, readonly T[]>;
  /** Those that require no label of a certain value. */
  readonly others: readonly T[];
}

/** Arrange things by the labels that `pairsOf` says an object must have. */
export function indexByPairs<T>(
  things: readonly T[],
  pairsOf: (thing: T) => readonly string[],
): PairIndex<T> {
  const frequency = new Map<string, number>();
  const all = things.map((thing) => ({ thing, pairs: pairsOf(thing) }));
  for (const { pairs } of all) {
    for (const pair of pairs) frequency.set(pair, (frequency.get(pair) ?? 0) + 1);
  }
  const rarest = compareBy<string, number>((pair) => frequency.get(pair) ?? 0);
  const byPair = new Map<string, T[]>();
  const others: T[] = [];
  for (const { thing, pairs } of all) {
    const [pair] = [...pairs].sort(rarest);
    const list = pair === undefined ? others : byPair.get(pair);
    if (list !== undefined) list.push(thing);
    else if (pair !== undefined) byPair.set(pair, [thing]);
  }
  return { byPair, others };
}

/** Everything that may match an object with these labels; the caller looks closer. In no particular order. */
export function candidates<T>(
  index: PairIndex<T>,
  labels: Labels | null | undefined,
): readonly T[] {
  if (index.byPair.size === 0) return index.others;
  const found = pairsOfLabels(labels ?? {}).flatMap((pair) => index.byPair.get(pair) ?? []);
  return found.length === 0 ? index.others : [...found, ...index.others];
}

/** Labels of which an object must have every one to match a well-formed selector. */
export function requiredPairs(selector: LabelSelector): readonly string[] {
  const single = (selector.matchExpressions ?? []).flatMap(({ key, operator, values }) =>
    operator === 'In' && values?.length === 1 ? values.map((value) => labelPair(key, value)) : [],
  );
  return [...pairsOfLabels(selector.matchLabels ?? {}), ...single];
}

/** The labels of an object as `key=value`; in a template as written they may be of another type, and then match nothing. */
export function pairsOfLabels(labels: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(labels).flatMap(([key, value]) =>
    typeof value === 'string' ? [labelPair(key, value)] : [],
  );
}

function labelPair(key: string, value: string): string {
  return `${key}=${value}`;
}
