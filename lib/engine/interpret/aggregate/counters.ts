import type { KubeObject } from '../../../api/object.js';
import { countAt, fieldsOf, fieldAt } from '../field.js';
import type { AggregatedStatusItem } from '../interpreter.js';

/** Items that report something, in their order. */
export function reporting(
  items: readonly AggregatedStatusItem[] | undefined,
): readonly AggregatedStatusItem[] {
  return (items ?? []).filter((item) => item.status !== undefined && item.status !== null);
}

/** Sum of each counter over the items' statuses; missing ones count 0. */
export function sumCounters<K extends string>(
  items: readonly AggregatedStatusItem[] | undefined,
  counters: readonly K[],
): Readonly<Record<K, number>> {
  const sums = Object.fromEntries(counters.map((name) => [name, 0])) as Record<K, number>;
  for (const { status } of reporting(items)) {
    for (const name of counters) sums[name] += countAt(status, name);
  }
  return sums;
}

/**
 * The object with these counters in its status; other status fields stay. The object itself when nothing changes (a
 * missing counter is 0). Counters in `optional` are left out when 0, as Kubernetes serialises them.
 */
export function withCounters(
  object: KubeObject,
  counters: Readonly<Record<string, number>>,
  optional: ReadonlySet<string>,
): KubeObject {
  const status = fieldsOf(object['status']);
  const isSame = Object.entries(counters).every(([name, value]) => countAt(status, name) === value);
  if (isSame) return object;

  const merged: Record<string, unknown> = { ...status };
  for (const [name, value] of Object.entries(counters)) {
    if (value === 0 && optional.has(name)) delete merged[name];
    else merged[name] = value;
  }
  return { ...object, status: merged };
}

/**
 * Counters as a typed status serialises them: those in `optional` only when not 0, the others always.
 */
export function reportCounters(
  status: unknown,
  counters: readonly string[],
  optional: ReadonlySet<string>,
): Record<string, number> {
  const reported: Record<string, number> = {};
  for (const name of counters) {
    const value = countAt(status, name);
    if (value !== 0 || !optional.has(name)) reported[name] = value;
  }
  return reported;
}

/** The named fields of a status that it has, in the given order. */
export function pickFields(status: unknown, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    const value = fieldAt(status, name);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
