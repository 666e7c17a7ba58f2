import { difference, fieldSet, intersection, isEmpty, LEAF, type FieldSet } from './field-set.js';
import { equalJson, isObject, type JsonObject } from './json.js';
import { ANY, type Schema } from '../schema/schema.js';

/** A value does not have the structure its schema says; the message names the path. */
export class TypedError extends Error {
  readonly __typedError = true as const;
}

/** What changed from one value to another, as sets of paths. */
export interface Changes {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

/**
 * The paths a value sets, by the rules of structured merge: scalars and atomic values are leaves; items of keyed lists
 * and sets are members themselves and have their fields below; empty maps are leaves.
 */
export function fieldsOf(value: unknown, schema: Schema): FieldSet {
  if (isObject(value) && !isAtomic(schema)) {
    return fieldSet(
      false,
      Object.entries(value).map(([key, child]) => {
        const [type, declared] = childOf(schema, key);
        const below = fieldsOf(child, type);
        const leaf =
          child === null || (isObject(child) && Object.keys(child).length === 0) || !declared;
        return [`f:${key}`, fieldSet(below.member || leaf, below.children)] as const;
      }),
    );
  }
  if (Array.isArray(value) && isMergeable(schema)) {
    return fieldSet(
      false,
      value.map((item) => {
        const below = fieldsOf(item, schema.element);
        return [itemElement(item, schema), fieldSet(true, below.children)] as const;
      }),
    );
  }
  return LEAF;
}

/** Lay `applied` over `live`: what only `live` has is kept, keyed lists are merged item by item. */
export function mergeTyped(live: unknown, applied: unknown, schema: Schema): unknown {
  if (live === undefined || live === null) return applied;
  if (isObject(applied) && isObject(live) && !isAtomic(schema)) {
    const out: JsonObject = { ...live };
    for (const [key, value] of Object.entries(applied)) {
      out[key] = Object.hasOwn(live, key)
        ? mergeTyped(live[key], value, childOf(schema, key)[0])
        : value;
    }
    return out;
  }
  if (Array.isArray(applied) && Array.isArray(live) && isMergeable(schema)) {
    return mergeLists(live, applied, schema);
  }
  return applied;
}

/**
 * The value without the items of the set. A container that becomes empty becomes `null`, as in Kubernetes: built-in kinds
 * drop it afterwards, in custom resources it stays and may be invalid.
 */
export function removeItems(value: unknown, set: FieldSet, schema: Schema): unknown {
  if (isEmpty(set)) return value;
  if (isObject(value) && !isAtomic(schema)) {
    const entries = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
      const below = set.children.get(`f:${key}`);
      if (below === undefined) return [[key, child]];
      return below.member ? [] : [[key, removeItems(child, below, childOf(schema, key)[0])]];
    });
    return entries.length === 0 ? null : Object.fromEntries(entries);
  }
  if (Array.isArray(value) && isMergeable(schema)) {
    const items = value.flatMap((item: unknown): unknown[] => {
      const below = set.children.get(itemElement(item, schema));
      if (below === undefined) return [item];
      return below.member ? [] : [removeItems(item, below, schema.element)];
    });
    return items.length === 0 ? null : items;
  }
  return value;
}

/** Which paths appeared, went and hold another value; containers are paths of their own here. */
export function changesBetween(before: unknown, after: unknown, schema: Schema): Changes {
  const old = presence(before, schema);
  const now = presence(after, schema);
  return {
    added: difference(now, old),
    removed: difference(old, now),
    modified: modifiedIn(
      before,
      after,
      schema,
      intersection(fieldsOf(before, schema), fieldsOf(after, schema)),
    ),
  };
}

/**
 * Parts that an object of a built-in kind has even when nothing is in them: they do not appear with their first field.
 * (In the server's own types they are values, not pointers; OpenAPI does not tell which.)
 */
const ALWAYS_THERE = new Set([
  'metadata',
  'spec',
  'status',
  'template',
  'jobTemplate',
  'strategy',
  'updateStrategy',
  'containers',
  'loadBalancer',
  'scaleTargetRef',
  'resources',
  'podSelector',
]);

/** {@link fieldsOf}, and every map, list and struct on the way, empty ones too. */
function presence(value: unknown, schema: Schema, isNew = false): FieldSet {
  if (isObject(value) && !isAtomic(schema)) {
    const children = Object.entries(value).flatMap(([key, child]) => {
      const below = presence(child, childOf(schema, key)[0], isNew);
      const isZero = !isNew && schema.kind === 'struct' && schema.builtin && ALWAYS_THERE.has(key);
      if (!isZero) return [[`f:${key}`, fieldSet(true, below.children)] as const];
      const isEmptyObject = isObject(child) && Object.keys(child).length === 0;
      if (isEmptyObject) return [];
      return [[`f:${key}`, fieldSet(below.children.size === 0, below.children)] as const];
    });
    return fieldSet(true, children);
  }
  if (Array.isArray(value) && isMergeable(schema)) {
    // An item comes and goes as a whole: nothing of it was there before.
    const items = value.map((item) => {
      const below = presence(item, schema.element, true);
      return [itemElement(item, schema), fieldSet(true, below.children)] as const;
    });
    return fieldSet(true, items);
  }
  return LEAF;
}

/** Named struct fields on the way to a member become members, so that emptied structs can be removed as a whole. */
export function withNamedFields(set: FieldSet, schema: Schema): FieldSet {
  return fieldSet(
    set.member,
    [...set.children].map(([element, child]) => {
      const [type, declared] = elementType(schema, element);
      const below = withNamedFields(child, type);
      const named = declared && schema.kind === 'struct' && child.children.size > 0;
      return [element, fieldSet(below.member || named, below.children)] as const;
    }),
  );
}

/** The path element of a list item, such as `k:{"name":"web"}`. */
export function itemElement(item: unknown, schema: Schema & { kind: 'list' }): string {
  if (schema.relation.kind !== 'keyed') return `v:${JSON.stringify(item)}`;
  const key: JsonObject = {};
  for (const name of [...schema.relation.keys].sort()) {
    const value =
      isObject(item) && Object.hasOwn(item, name) ? item[name] : schema.relation.keyDefaults[name];
    if (value !== undefined) key[name] = value;
  }
  return `k:${JSON.stringify(key)}`;
}

/** The schema of a map's or struct's field, and whether the schema declares it by name. */
export function childOf(schema: Schema, key: string): readonly [Schema, boolean] {
  switch (schema.kind) {
    case 'struct':
      return [schema.fields.get(key) ?? ANY, schema.fields.has(key)];
    case 'map':
      return [schema.element, false];
    default:
      return [ANY, false];
  }
}

export function isMergeable(schema: Schema): schema is Schema & { kind: 'list' } {
  return schema.kind === 'list' && schema.relation.kind !== 'atomic';
}

export function isAtomic(schema: Schema): boolean {
  return (schema.kind === 'struct' || schema.kind === 'map') && schema.atomic;
}

function elementType(schema: Schema, element: string): readonly [Schema, boolean] {
  if (element.startsWith('f:')) return childOf(schema, element.slice(2));
  return [schema.kind === 'list' ? schema.element : ANY, false];
}

function modifiedIn(before: unknown, after: unknown, schema: Schema, shared: FieldSet): FieldSet {
  if (isEmpty(shared)) return shared;
  const children: [string, FieldSet][] = [];
  const old =
    isMergeable(schema) && Array.isArray(before) ? itemsByElement(before, schema) : undefined;
  const now =
    isMergeable(schema) && Array.isArray(after) ? itemsByElement(after, schema) : undefined;
  for (const [element, child] of shared.children) {
    const [type] = elementType(schema, element);
    const key = element.slice(2);
    const a = old?.get(element) ?? (isObject(before) ? before[key] : undefined);
    const b = now?.get(element) ?? (isObject(after) ? after[key] : undefined);
    children.push([element, modifiedIn(a, b, type, child)]);
  }
  const leaf = shared.member && shared.children.size === 0 && !equalJson(before, after);
  return fieldSet(leaf, children);
}

function itemsByElement(
  items: readonly unknown[],
  schema: Schema & { kind: 'list' },
): Map<string, unknown> {
  return new Map(items.map((item) => [itemElement(item, schema), item]));
}

/** Items in the order of `applied`; items that only `live` has stay where they are relative to their neighbours. */
function mergeLists(
  live: readonly unknown[],
  applied: readonly unknown[],
  schema: Schema & { kind: 'list' },
): unknown[] {
  const ours = itemsByElement(live, schema);
  const order = [...itemsByElement(applied, schema)];
  const theirs = new Set(order.map(([element]) => element));
  const shared = order.map(([element]) => element).filter((element) => ours.has(element));
  const left = [...ours];
  const out: unknown[] = [];
  let l = 0;
  let r = 0;
  let nextShared = 0;
  while (l < left.length || r < order.length) {
    const mine = left[l];
    const other = order[r];
    if (mine !== undefined && !theirs.has(mine[0])) {
      out.push(mine[1]);
      l++;
    } else if (mine !== undefined && mine[0] !== shared[nextShared]) {
      l++;
    } else if (other !== undefined) {
      out.push(mergeTyped(ours.get(other[0]), other[1], schema.element));
      if (other[0] === shared[nextShared]) nextShared++;
      if (mine !== undefined && mine[0] === other[0]) l++;
      r++;
    } else {
      l++;
    }
  }
  return out;
}
