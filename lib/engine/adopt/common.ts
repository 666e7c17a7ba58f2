import { canonicalJson } from '../canonical.js';
import { type Fields, isFields } from '../interpret/field.js';
import { editsBetween } from './edits.js';

/** No value: the field is better left out of the template. */
const ABSENT = Symbol('absent');
type Value = unknown;

interface Choice {
  readonly value: Value;
  /** Edits needed in all, summed over the given values. */
  readonly edits: number;
}

/**
 * The value from which all of the given ones are reached with the fewest edits (see `editsBetween`), at least one value.
 *
 * Decided field by field, so that it need not equal any of them: with `a` changed on one cluster and `b` on another, it
 * has neither change. Never more edits than from the best of the values themselves. Of several such values the one that
 * follows the values given first.
 */
export function commonOf(values: readonly unknown[]): unknown {
  return best(values).value;
}

function best(values: readonly Value[]): Choice {
  const present = values.filter((value) => value !== ABSENT);
  const missing = values.length - present.length;
  const whole = bestPresent(present);
  const kept = { value: whole.value, edits: whole.edits + missing };
  if (missing === 0) return kept;
  const without = { value: ABSENT, edits: present.length };
  if (kept.edits !== without.edits) return kept.edits < without.edits ? kept : without;
  return values[0] === ABSENT ? without : kept;
}

function bestPresent(values: readonly Value[]): Choice {
  const [first, second] = [...distinct(values)];
  if (second === undefined) return { value: first?.value, edits: 0 };
  if (values.every(isFields)) return bestMap(values);
  if (values.every((value) => Array.isArray(value)) && haveOneLength(values))
    return bestList(values);
  return bestOfThem(values);
}

function bestMap(values: readonly Fields[]): Choice {
  const names = [...new Set(values.flatMap((value) => Object.keys(value)))].sort();
  const members: [string, Value][] = [];
  let edits = 0;
  for (const name of names) {
    const choice = best(values.map((map) => (Object.hasOwn(map, name) ? map[name] : ABSENT)));
    edits += choice.edits;
    if (choice.value !== ABSENT) members.push([name, choice.value]);
  }
  return { value: Object.fromEntries(members), edits };
}

function bestList(values: readonly (readonly unknown[])[]): Choice {
  const items = (values[0] ?? []).map((_, index) => best(values.map((list) => list[index])));
  return {
    value: items.map(({ value }) => value),
    edits: items.reduce((sum, { edits }) => sum + edits, 0),
  };
}

/** The value itself with the fewest edits to the others; of equals the first. */
function bestOfThem(values: readonly Value[]): Choice {
  const candidates = distinct(values);
  let chosen: Choice | undefined;
  for (const { value } of candidates) {
    const edits = candidates.reduce(
      (sum, other) => sum + other.count * editsBetween(value, other.value).length,
      0,
    );
    if (chosen === undefined || edits < chosen.edits) chosen = { value, edits };
  }
  return chosen ?? { value: ABSENT, edits: 0 };
}

function distinct(
  values: readonly Value[],
): readonly { readonly value: Value; readonly count: number }[] {
  const found = new Map<string, { value: Value; count: number }>();
  for (const value of values) {
    const key = canonicalJson(value);
    const known = found.get(key);
    if (known === undefined) found.set(key, { value, count: 1 });
    else known.count += 1;
  }
  return [...found.values()];
}

function haveOneLength(lists: readonly (readonly unknown[])[]): boolean {
  return lists.every(({ length }) => length === lists[0]?.length);
}
