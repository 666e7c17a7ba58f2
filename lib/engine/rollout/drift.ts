import type { KubeObject } from '../../api/object.js';
import { equalData } from '../canonical.js';
import { isSameQuantity } from './same-quantity.js';
import { isFields } from '../interpret/field.js';

/** One step of a field's path: a member of a map, or an item of a list with what it is called there. */
export type PathStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'item'; readonly index: number; readonly name?: string };

/** A field that is not as desired. */
export interface DriftedField {
  /** For people: `.spec.template.spec.containers[web].image`. */
  readonly path: string;
  readonly steps: readonly PathStep[];
  readonly desired: unknown;
  /** `undefined`: the cluster does not have it. */
  readonly live: unknown;
}

/** Paths of {@link findDrift}. */
export function driftedFields(desired: KubeObject, live: KubeObject): readonly string[] {
  return findDrift(desired, live).map(({ path }) => path);
}

/**
 * Fields of `desired` that `live` does not have with that value; empty: no drift.
 *
 * Only what we apply is compared: defaults and fields of others are no drift. Lists of named things (containers, ports
 * with names, env) are compared by name, other lists as a whole; quantities by value. A difference that is only one of
 * notation may be reported: applying it again changes nothing. `status` is not compared.
 */
export function findDrift(desired: KubeObject, live: KubeObject): readonly DriftedField[] {
  const found: DriftedField[] = [];
  const { status: _status, ...rest } = desired;
  compare(rest, live, [], found);
  return found;
}

/** The path of steps as people read it. */
export function describeSteps(steps: readonly PathStep[]): string {
  return steps
    .map((step) => (step.kind === 'member' ? `.${step.name}` : `[${step.name ?? step.index}]`))
    .join('');
}

function compare(
  desired: unknown,
  live: unknown,
  steps: readonly PathStep[],
  found: DriftedField[],
): void {
  if (desired === undefined || equalData(desired, live)) return;
  if (Array.isArray(desired)) return compareLists(desired, live, steps, found);
  if (typeof desired === 'object' && desired !== null && isFields(live)) {
    for (const [name, value] of Object.entries(desired).sort(([a], [b]) => (a < b ? -1 : 1))) {
      compare(value, live[name], [...steps, { kind: 'member', name }], found);
    }
    return;
  }
  // Server-side apply of null or of an empty map stores nothing.
  if (live === undefined && isNothing(desired)) return;
  if (typeof desired !== 'object' && isSameQuantity(desired, live)) return;
  found.push({ path: describeSteps(steps), steps, desired, live });
}

function compareLists(
  desired: readonly unknown[],
  live: unknown,
  steps: readonly PathStep[],
  found: DriftedField[],
): void {
  if (live === undefined && desired.length === 0) return;
  const named = desired.every(hasName);
  if (!Array.isArray(live) || (!named && desired.length !== live.length)) {
    found.push({ path: describeSteps(steps), steps, desired, live });
    return;
  }
  for (const [index, item] of desired.entries()) {
    const name = hasName(item) ? item.name : undefined;
    const other: unknown =
      name === undefined
        ? live[index]
        : live.find((candidate) => hasName(candidate) && candidate.name === name);
    const step = { kind: 'item' as const, index, ...(name !== undefined && { name }) };
    compare(item, other, [...steps, step], found);
  }
}

function hasName(value: unknown): value is { readonly name: string } {
  return isFields(value) && typeof value['name'] === 'string';
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (isFields(value) && Object.keys(value).length === 0);
}
