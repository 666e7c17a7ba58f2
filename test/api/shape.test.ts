import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { placesOf, schemaAt, withoutNulls } from '../../lib/api/shape.js';
import { fields, optional } from '../../lib/api/value.js';

const leaf = fields({ names: optional(z.array(z.string())), any: optional(z.unknown()) });
const schema = fields({
  a: optional(fields({ deep: optional(fields({ deeper: optional(leaf) })) })),
  b: optional(fields({ list: optional(z.array(leaf)) })),
  z: optional(leaf),
  free: optional(z.record(z.string(), z.unknown())),
  map: optional(z.record(z.string(), z.string())),
});

test.each([
  { from: ['a', 'deep'], places: ['a.deep.deeper', 'z', 'b.list.[]'] },
  { from: ['b', 'list', 3], places: ['b.list.[]', 'z', 'a.deep.deeper'] },
  { from: [], places: ['z', 'a.deep.deeper', 'b.list.[]'] },
])('from $from the nearest place of a field comes first', ({ from, places }) => {
  expect(placesOf(schema, 'names', from).map((place) => place.join('.'))).toEqual(places);
});

test('fields of metadata have a place although schemas do not look into it', () => {
  expect(placesOf(schema, 'labels', [])).toEqual([['metadata']]);
});

test('a path leads through lists and maps, and ends where the schema does', () => {
  expect(schemaAt(schema, ['b', 'list', 3, 'names', 0])?._zod.def.type).toBe('string');
  expect(schemaAt(schema, ['free', 'x', 'y'])).toBeUndefined();
  expect(schemaAt(schema, ['toString'])).toBeUndefined();
});

test('fields without value go, list items and free-form data stay, and nothing is copied in vain', () => {
  const given = {
    a: null,
    b: { list: [{ names: null, any: { x: null } }, null] },
    free: { x: null, y: { z: null } },
    map: { k: null, l: 'v' },
    unknown: null,
    z: { names: ['a'] },
  };

  const result = withoutNulls(schema, given);

  expect(result).toEqual({
    b: { list: [{ any: { x: null } }, null] },
    free: { y: { z: null } },
    map: { l: 'v' },
    unknown: null,
    z: { names: ['a'] },
  });
  expect(result.z).toBe(given.z);
  expect(withoutNulls(schema, result)).toBe(result);
});
