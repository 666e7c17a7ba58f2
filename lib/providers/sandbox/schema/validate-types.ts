import { describePath } from '../merge/field-set.js';
import { isObject } from '../merge/json.js';
import { childOf, isMergeable, itemElement } from '../merge/typed.js';
import type { Schema } from './schema.js';

export interface TypeFault {
  /** In Kubernetes' notation, with a leading dot. */
  readonly path: string;
  readonly message: string;
  readonly reason: 'unknown' | 'type' | 'duplicate';
}

/**
 * Where a value does not have the structure of its schema: unknown fields, wrong JSON types, list items with the same
 * key. In the order of the value; empty when it fits.
 */
export function typeFaults(value: unknown, schema: Schema): TypeFault[] {
  const faults: TypeFault[] = [];
  walk(value, schema, [], faults);
  return faults;
}

/** The value without fields that the schema does not know: what a server keeps when it is told to ignore them. */
export function pruned(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) {
    return schema.kind === 'list' ? value.map((item) => pruned(item, schema.element)) : value;
  }
  if (!isObject(value) || schema.kind === 'any') return value;
  const entries = Object.entries(value)
    .filter(([key]) => schema.kind !== 'struct' || schema.open || schema.fields.has(key))
    .map(([key, child]) => [key, pruned(child, childOf(schema, key)[0])] as const);
  return Object.fromEntries(entries);
}

function walk(value: unknown, schema: Schema, path: readonly string[], faults: TypeFault[]): void {
  if (value === null || value === undefined || schema.kind === 'any') return;
  switch (schema.kind) {
    case 'struct':
    case 'map':
      if (!isObject(value)) return wrong('map', value, path, faults);
      for (const [key, child] of Object.entries(value)) {
        const below = [...path, `f:${key}`];
        if (schema.kind === 'struct' && !schema.open && !schema.fields.has(key)) {
          faults.push({
            path: describePath(below),
            message: 'field not declared in schema',
            reason: 'unknown',
          });
        } else {
          walk(child, childOf(schema, key)[0], below, faults);
        }
      }
      return;
    case 'list':
      if (!Array.isArray(value)) return wrong('list', value, path, faults);
      return walkItems(value, schema, path, faults);
    case 'scalar':
      return scalar(value, schema.type, path, faults);
  }
}

function walkItems(
  items: readonly unknown[],
  schema: Schema & { kind: 'list' },
  path: readonly string[],
  faults: TypeFault[],
): void {
  const seen = new Set<string>();
  items.forEach((item, index) => {
    const keyed = isMergeable(schema);
    const element = keyed ? itemElement(item, schema) : `i:${index}`;
    if (keyed && seen.has(element)) {
      faults.push({
        path: describePath(path),
        message: `duplicate entries for key ${describePath([element])}`,
        reason: 'duplicate',
      });
    }
    seen.add(element);
    walk(item, schema.element, [...path, element], faults);
  });
}

function scalar(value: unknown, type: string, path: readonly string[], faults: TypeFault[]): void {
  const fits: Readonly<Record<string, boolean>> = {
    string: typeof value === 'string',
    bytes: typeof value === 'string',
    time: typeof value === 'string',
    integer: typeof value === 'number' && Number.isInteger(value),
    number: typeof value === 'number',
    boolean: typeof value === 'boolean',
    quantity: typeof value === 'string' || typeof value === 'number',
    intOrString: typeof value === 'string' || typeof value === 'number',
  };
  if (fits[type] === false) wrong(EXPECTED[type] ?? type, value, path, faults);
}

const EXPECTED: Readonly<Record<string, string>> = {
  integer: 'numeric (int or float)',
  number: 'numeric (int or float)',
  bytes: 'string',
  time: 'string',
};

function wrong(
  expected: string,
  value: unknown,
  path: readonly string[],
  faults: TypeFault[],
): void {
  const got = Array.isArray(value) ? 'list' : isObject(value) ? 'map' : typeof value;
  faults.push({
    path: describePath(path),
    message: `expected ${expected}, got ${got}`,
    reason: 'type',
  });
}
