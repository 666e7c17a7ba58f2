import { z } from 'zod';
import type { ObjectMeta } from './object.js';

/** An object whose keys are all known; anything else is a finding. */
export const fields = z.strictObject;

/** A field that may be left out; present, it must have a value (`null` and `undefined` are refused). */
export const optional = z.exactOptional;

/** Signed 32-bit integer. */
export const int32 = z.int32();

/** Signed 64-bit integer; JavaScript holds it exactly up to 2^53. */
export const int64 = z.int();

const QUANTITY =
  /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/;

/** Kubernetes quantity as written: a whole number, or text such as `500m` or `1Gi`. */
export const quantity = z.union([z.int(), z.string().regex(QUANTITY)], {
  error: 'must be a quantity such as 2, "500m" or "1Gi"',
});

/** Quantities by resource name, e.g. `{ cpu: '500m' }`. */
export const resourceList = z.record(z.string(), quantity);

/** Text by text: labels, annotations, node labels. */
export const stringMap = z.record(z.string(), z.string());

/** RFC 3339 time, e.g. `2026-01-31T10:00:00Z`. */
export const dateTime = z.iso.datetime({ offset: true });

/** Any JSON object; not looked into. */
export const freeForm = z.record(z.string(), z.unknown());

/** Whether a JSON value is an object (no list, no null). */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Metadata is the same for every kind and is checked by `metadata.ts`; here only that it is an object. */
export const objectMeta = z.custom<ObjectMeta>(isRecord, { error: 'must be an object' });

/** A list in which no two items have the same `key`. */
export function listMap<Shape extends z.core.$ZodShape, Key extends string & keyof Shape>(
  item: z.ZodObject<Shape, z.core.$strict>,
  key: Key,
): z.ZodArray<z.ZodObject<Shape, z.core.$strict>> {
  return z.array(item).check((context) => {
    const seen = new Set<unknown>();
    context.value.forEach((value, index) => {
      const name = (value as Readonly<Record<string, unknown>>)[key];
      if (seen.has(name)) {
        const message = `must be unique in the list, and ${JSON.stringify(name)} occurs twice`;
        context.issues.push({ code: 'custom', path: [index, key], input: name, message });
      }
      seen.add(name);
    });
  });
}
