import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { goSort } from '../../../lib/engine/schedule/divide/go-sort.js';

interface Item {
  readonly key: number;
  readonly id: number;
}

const items = (maxLength: number, keys: number) =>
  fc
    .array(fc.integer({ min: 0, max: keys }), { maxLength })
    .map((list) => list.map((key, id): Item => ({ key, id })));
const descending = (a: Item, b: Item): boolean => a.key > b.key;

describe('goSort', () => {
  test('sorts and loses nothing, whatever the pattern', () => {
    fc.assert(
      fc.property(fc.oneof(items(400, 3), items(400, 1000), items(60, 1)), (list) => {
        const sorted = [...list];
        goSort(sorted, descending);

        expect(sorted.map(({ key }) => key)).toEqual(
          list.map(({ key }) => key).sort((a, b) => b - a),
        );
        expect(new Set(sorted.map(({ id }) => id)).size).toBe(list.length);
      }),
    );
  });

  test('is stable up to twelve items', () => {
    fc.assert(
      fc.property(items(12, 3), (list) => {
        const sorted = [...list];
        goSort(sorted, descending);

        expect(sorted).toEqual([...list].sort((a, b) => b.key - a.key || a.id - b.id));
      }),
    );
  });

  test('is not stable beyond: the order of equals is the one of Go 1.24 and later', () => {
    const keys = [1, 3, 3, 3, 3, 3, 2, 1, 1, 1, 1, 1, 1];
    const sorted = keys.map((key, id) => ({ key, id }));
    goSort(sorted, descending);

    expect(sorted[0]).toEqual({ key: 3, id: 5 });
  });

  test.each(['ascending', 'descending', 'organ pipe', 'saw'])(
    'survives %s input of 5,000',
    (pattern) => {
      const size = 5000;
      const keyOf = {
        ascending: (i: number) => i,
        descending: (i: number) => -i,
        'organ pipe': (i: number) => Math.min(i, size - i),
        saw: (i: number) => i % 17,
      }[pattern];
      const list = Array.from({ length: size }, (_, id) => ({ key: keyOf?.(id) ?? 0, id }));
      goSort(list, descending);

      for (let i = 1; i < size; i += 1)
        expect((list[i - 1]?.key ?? 0) >= (list[i]?.key ?? 0)).toBe(true);
    },
  );
});
