import type { KubeObject } from '../../api/object.js';
import { equalData } from '../canonical.js';

/**
 * Fields of `desired` that `live` does not have with that value, as paths like `.spec.replicas`; empty: no drift.
 *
 * Only what we apply is compared: defaults and fields of others are no drift. Lists of named things (containers, ports
 * with names, env) are compared by name, other lists as a whole; quantities by value. A difference that is only one of
 * notation may be reported: applying it again changes nothing. `status` is not compared.
 */
export function driftedFields(desired: KubeObject, live: KubeObject): readonly string[] {
  const found: string[] = [];
  const { status: _status, ...rest } = desired;
  compare(rest, live, '', found);
  return found;
}

function compare(desired: unknown, live: unknown, path: string, found: string[]): void {
  if (desired === undefined || equalData(desired, live)) return;
  if (Array.isArray(desired)) return compareLists(desired, live, path, found);
  if (typeof desired === 'object' && desired !== null && isRecord(live)) {
    for (const [key, value] of Object.entries(desired).sort(([a], [b]) => (a < b ? -1 : 1))) {
      compare(value, live[key], `${path}.${key}`, found);
    }
    return;
  }
  // Server-side apply of null or of an empty map stores nothing.
  if (live === undefined && isNothing(desired)) return;
  if (typeof desired !== 'object' && isSameQuantity(desired, live)) return;
  found.push(path);
}

function compareLists(
  desired: readonly unknown[],
  live: unknown,
  path: string,
  found: string[],
): void {
  if (live === undefined && desired.length === 0) return;
  const named = desired.every(hasName);
  if (!Array.isArray(live) || (!named && desired.length !== live.length)) {
    found.push(path);
    return;
  }
  for (const [index, item] of desired.entries()) {
    const name = hasName(item) ? item.name : undefined;
    const other: unknown =
      name === undefined
        ? live[index]
        : live.find((candidate) => hasName(candidate) && candidate.name === name);
    compare(item, other, `${path}[${name ?? index}]`, found);
  }
}

function hasName(value: unknown): value is { readonly name: string } {
  return isRecord(value) && typeof value['name'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (isRecord(value) && Object.keys(value).length === 0);
}

const SUFFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** `0.5` and `500m`, `1Gi` and `1024Mi`, `1` and `"1"`: the server rewrites quantities. */
function isSameQuantity(a: unknown, b: unknown): boolean {
  const [x, y] = [quantity(a), quantity(b)];
  if (x === undefined || y === undefined) return false;
  return Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y));
}

function quantity(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const match = typeof value === 'string' ? /^([+-]?\d+(?:\.\d*)?)([a-zA-Z]*)$/.exec(value) : null;
  const factor = SUFFIXES[match?.[2] ?? '?'];
  return match === null || factor === undefined ? undefined : Number(match[1]) * factor;
}
