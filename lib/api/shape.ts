import type { z } from 'zod';
import type { FieldPath } from './finding.js';
import { isRecord } from './value.js';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];

/** Fields of `metadata`, which schemas leave to `metadata.ts`. Kubernetes ObjectMeta. */
export const METADATA_FIELDS = [
  'annotations',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'finalizers',
  'generateName',
  'generation',
  'labels',
  'managedFields',
  'name',
  'namespace',
  'ownerReferences',
  'resourceVersion',
  'selfLink',
  'uid',
] as const;

/** Segments of schema positions that stand for any item of a list or map. */
const ANY = '[]';

/** The schema without wrappers such as `optional`. */
export function unwrapped(schema: Schema): Schema {
  const def = schema._zod.def as Def;
  return 'innerType' in def ? unwrapped(def.innerType) : schema;
}

/** Fields of an object schema, `undefined` for anything else. */
export function fieldsOf(schema: Schema): Readonly<Record<string, Schema>> | undefined {
  const def = unwrapped(schema)._zod.def as Def;
  return def.type === 'object' ? def.shape : undefined;
}

/** Schema of one member of an object, list or map; `undefined` where the schema does not look further. */
export function childOf(schema: Schema, segment: string | number): Schema | undefined {
  const def = unwrapped(schema)._zod.def as Def;
  if (def.type === 'object')
    return Object.hasOwn(def.shape, segment) ? def.shape[segment] : undefined;
  if (def.type === 'array') return def.element;
  if (def.type === 'record') return def.valueType;
  return undefined;
}

/** Schema at a path of a document. */
export function schemaAt(schema: Schema, path: FieldPath): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const segment of path) at = at === undefined ? undefined : childOf(at, segment);
  return at;
}

/**
 * Positions of the objects that have a field `name`, nearest to `from` first.
 * List indices read `[]`. Order: (1) steps through the tree, (2) depth, (3) position as text.
 */
export function placesOf(schema: Schema, name: string, from: FieldPath): readonly FieldPath[] {
  const places: string[][] = [];
  collect(schema, [], name, places);
  if ((METADATA_FIELDS as readonly string[]).includes(name)) places.push(['metadata']);
  const origin = from.map((segment) => (typeof segment === 'number' ? ANY : segment));
  const key = (place: string[]): [number, number, string] => [
    steps(origin, place),
    place.length,
    place.join('.'),
  ];
  return places
    .map((place) => ({ place, key: key(place) }))
    .sort((a, b) => a.key[0] - b.key[0] || a.key[1] - b.key[1] || (a.key[2] < b.key[2] ? -1 : 1))
    .map(({ place }) => place);
}

function collect(schema: Schema, at: string[], name: string, places: string[][]): void {
  const def = unwrapped(schema)._zod.def as Def;
  if (def.type === 'array') collect(def.element, [...at, ANY], name, places);
  if (def.type !== 'object') return;
  if (at.length > 0 && Object.hasOwn(def.shape, name)) places.push(at);
  for (const [field, child] of Object.entries(def.shape)) {
    collect(child, [...at, field], name, places);
  }
}

function steps(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  while (common < Math.min(a.length, b.length) && a[common] === b[common]) common++;
  return a.length - common + (b.length - common);
}

/**
 * The value without fields that are `null` or `undefined`, as an API server reads it: a field without value is a
 * field that is not there (even one that takes any value). Inside such values, nulls stay, and list items do too.
 */
export function withoutNulls<T>(schema: Schema, value: T): T {
  return hasNothing(value) ? (pruned(schema, value) as T) : value;
}

/** Whether a `null` or `undefined` is anywhere in it: seldom, and looking costs less than walking the schema. */
function hasNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(hasNothing);
  const record = value as Readonly<Record<string, unknown>>;
  for (const field in record) if (hasNothing(record[field])) return true;
  return false;
}

function pruned(schema: Schema, value: unknown): unknown {
  const def = unwrapped(schema)._zod.def as Def;
  if (Array.isArray(value) && def.type === 'array') {
    return mapped(value, (item) => pruned(def.element, item));
  }
  if (!isRecord(value) || (def.type !== 'object' && def.type !== 'record')) return value;
  let result: Record<string, unknown> | undefined;
  for (const [field, member] of Object.entries(value)) {
    const child = childOf(schema, field);
    if (child === undefined) continue;
    if (member === null || member === undefined) {
      result ??= { ...value };
      delete result[field];
      continue;
    }
    const next = pruned(child, member);
    if (next !== member) (result ??= { ...value })[field] = next;
  }
  return result ?? value;
}

function mapped(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const next = items.map(change);
  return next.some((item, i) => item !== items[i]) ? next : items;
}
