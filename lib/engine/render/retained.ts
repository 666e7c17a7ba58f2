import type { KubeObject } from '../../api/object.js';
import { equalData } from '../canonical.js';
import type { Interpreter } from '../interpret/index.js';
import { groupOf } from '../object.js';
import { MARKS } from '../plan.js';
import type { FieldPath } from './field-path.js';
import { isNamed, valueAt, withValueAt } from './field-path.js';
import { fieldsOf, isFields } from '../interpret/field.js';

export type Retain = NonNullable<Interpreter['retain']>;

/** What of a manifest is to be applied where the cluster has the object already. */
export interface Retained {
  readonly object: KubeObject;
  /** Fields of the manifest that are not in `object`, since the member cluster decides them. */
  readonly left: readonly FieldPath[];
}

/**
 * Apply a kind's `Retain` by leaving fields out.
 *
 * Karmada sends what `Retain` makes of the manifest and the member's object, with the member's values in it. Server-side
 * apply has the better way of not sending those: where `Retain` gives back the member's value, or drops the field, it is
 * left out; where it makes a value of its own, that is sent; where it leaves the manifest's, it is as without it. So a field
 * that is equal on both sides costs nothing and stays ours. Identity and our marks are never left out, whatever a rule does.
 *
 * Lists of named things in Kubernetes' own kinds are told apart by name, as the API server merges them; all other lists are
 * one value. A field that was applied before must be handed over first, since a field that its only manager drops is reset.
 * Source: lifecycle reference §3.4, §8.3; ADR 0046.
 *
 * @throws {@link InterpretError} when the rule fails
 */
export function withoutRetained(desired: KubeObject, live: KubeObject, retain: Retain): Retained {
  const kept = retain(desired, live);
  if (kept === desired) return { object: desired, left: [] };
  const left: FieldPath[] = [];
  const merge: Merge = { left, mergesByName: isBuiltIn(desired) };
  const object = members(merge, desired, kept, live, []) ?? desired;
  // Members of an object that are left out are optional: what is left still is one.
  return { object: object as unknown as KubeObject, left };
}

/** A rule that keeps what the cluster has at these paths. */
export function retainAt(paths: readonly FieldPath[]): Retain {
  return (desired, live) =>
    paths.reduce<KubeObject>((kept, path) => {
      const value = valueAt(live, path);
      return value === undefined || valueAt(kept, path) === undefined
        ? kept
        : withValueAt(kept, path, value);
    }, desired);
}

interface Merge {
  readonly left: FieldPath[];
  readonly mergesByName: boolean;
}

const OURS: ReadonlySet<string> = new Set<string>(Object.values(MARKS));

/** `undefined`: nothing of it is to be applied. */
function toSend(
  merge: Merge,
  desired: unknown,
  kept: unknown,
  live: unknown,
  path: FieldPath,
): unknown {
  if (desired === null || equalData(desired, kept)) return desired;
  if (isFields(desired) && isFields(kept)) return members(merge, desired, kept, live, path);
  if (merge.mergesByName && isNamedList(desired) && Array.isArray(kept))
    return items(merge, desired, kept, live, path);
  if (kept === undefined || equalData(kept, live)) {
    merge.left.push(path);
    return undefined;
  }
  return kept;
}

function members(
  merge: Merge,
  desired: object,
  kept: object,
  live: unknown,
  path: FieldPath,
): Readonly<Record<string, unknown>> | undefined {
  const [own, theirs] = [new Map(Object.entries(desired)), fieldsOf(live)];
  const sent: [string, unknown][] = [];
  for (const [name, value] of own) {
    const below: unknown = (kept as Record<string, unknown>)[name];
    const at = [...path, name];
    const left = isFixed(at) ? value : toSend(merge, value, below, theirs[name], at);
    if (left !== undefined) sent.push([name, left]);
  }
  for (const [name, value] of Object.entries(kept)) {
    const more = own.has(name) || isFixed([...path, name]) ? undefined : added(value, theirs[name]);
    if (more !== undefined) sent.push([name, more]);
  }
  return sent.length === 0 && own.size > 0 ? undefined : Object.fromEntries(sent);
}

function items(
  merge: Merge,
  desired: readonly { readonly name: string }[],
  kept: readonly unknown[],
  live: unknown,
  path: FieldPath,
): readonly unknown[] {
  const find = (list: unknown, name: string): unknown =>
    Array.isArray(list) ? list.find((item) => isNamed(item, name)) : undefined;
  const sent = desired.map((item) =>
    toSend(merge, item, find(kept, item.name), find(live, item.name), [
      ...path,
      { name: item.name },
    ]),
  );
  const more = kept.filter(
    (item) =>
      isFields(item) &&
      !desired.some(({ name }) => isNamed(item, name)) &&
      !(Array.isArray(live) && live.some((theirs) => equalData(theirs, item))),
  );
  return [...sent.filter((item) => item !== undefined), ...more];
}

/** What a rule put in that neither side has; `undefined`: nothing. */
function added(kept: unknown, live: unknown): unknown {
  if (kept === null || kept === undefined || equalData(kept, live)) return undefined;
  if (Array.isArray(kept)) return kept.length === 0 ? undefined : kept;
  if (!isFields(kept)) return kept;
  const theirs = fieldsOf(live);
  const more = Object.entries(kept)
    .map(([name, value]): [string, unknown] => [name, added(value, theirs[name])])
    .filter(([, value]) => value !== undefined);
  return more.length === 0 ? undefined : Object.fromEntries(more);
}

/** Which object it is, and what says that it is ours at which revision. */
function isFixed(path: FieldPath): boolean {
  const [first, second, third] = path;
  if (path.length === 1) return first === 'apiVersion' || first === 'kind' || first === 'status';
  if (first !== 'metadata') return false;
  if (path.length === 2) return second === 'name' || second === 'namespace';
  return path.length === 3 && typeof third === 'string' && OURS.has(third);
}

function isBuiltIn({ apiVersion }: KubeObject): boolean {
  const group = groupOf(apiVersion);
  return !group.includes('.') || group.endsWith('.k8s.io');
}

/** Not mounts: they are told apart by where they are mounted. */
function isNamedList(value: unknown): value is readonly { readonly name: string }[] {
  if (!Array.isArray(value)) return false;
  const names = new Set(value.map((item) => (isFields(item) ? item['name'] : undefined)));
  const isMounts = value.some((item) => isFields(item) && 'mountPath' in item);
  return !isMounts && names.size === value.length && [...names].every((n) => typeof n === 'string');
}
