import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyPatch as reference } from 'fast-json-patch';
import type { PatchOperation } from '../../../lib/engine/override/json-patch.js';
import { applyPatch } from '../../../lib/engine/override/json-patch.js';
import { deepFreeze } from './builders.js';

const DOCUMENT = deepFreeze({ a: { b: [1, 2, 3], 'x/y': 1, 't~': 2, n: null }, s: 'text' });

test.each<[operation: PatchOperation, at: string, value: unknown]>([
  [{ op: 'add', path: '/a/new', value: 1 }, 'a.new', 1],
  [{ op: 'add', path: '/a/b/-', value: 4 }, 'a.b', [1, 2, 3, 4]],
  [{ op: 'add', path: '/a/b/0', value: 0 }, 'a.b', [0, 1, 2, 3]],
  [{ op: 'add', path: '/a/b/3', value: 4 }, 'a.b', [1, 2, 3, 4]],
  [{ op: 'add', path: '/a/b/-1', value: 4 }, 'a.b', [1, 2, 3, 4]],
  [{ op: 'replace', path: '/a/b/-1', value: 9 }, 'a.b', [1, 2, 9]],
  [{ op: 'remove', path: '/a/b/1' }, 'a.b', [1, 3]],
  [{ op: 'replace', path: '/s' }, 's', null],
  [{ op: 'replace', path: '/a/n', value: 1 }, 'a.n', 1],
])('%j', (operation, at, value) => {
  const result = applyPatch(DOCUMENT, [operation]);

  expect(result.ok && result.value).toHaveProperty(at, value);
});

test('tilde and slash in names are decoded', () => {
  const result = applyPatch(DOCUMENT, [
    { op: 'replace', path: '/a/x~1y', value: 5 },
    { op: 'remove', path: '/a/t~0' },
  ]);

  expect(result.ok && result.value).toMatchObject({ a: { 'x/y': 5 } });
  expect(result.ok && result.value).not.toHaveProperty(['a', 't~']);
});

test.each<PatchOperation>([
  { op: 'replace', path: '/a/none', value: 1 },
  { op: 'remove', path: '/none' },
  { op: 'add', path: '/none/deep', value: 1 },
  { op: 'add', path: '/a/b/5', value: 1 },
  { op: 'add', path: '/a/b/-5', value: 1 },
  { op: 'remove', path: '/a/b/-' },
  { op: 'replace', path: '/a/b/x', value: 1 },
  { op: 'add', path: '/s/x', value: 1 },
  { op: 'add', path: '/a/n/x', value: 1 },
  { op: 'add', path: 'a', value: 1 },
  { op: 'remove', path: '' },
])('%j fails', (operation) => {
  expect(applyPatch(DOCUMENT, [operation])).toMatchObject({
    ok: false,
    fault: { kind: 'missing', path: operation.path },
  });
});

test('operations see each other, and one that fails fails all', () => {
  const first: PatchOperation = { op: 'add', path: '/new', value: {} };

  expect(applyPatch(DOCUMENT, [first, { op: 'add', path: '/new/x', value: 1 }]).ok).toBe(true);
  expect(applyPatch(DOCUMENT, [first, { op: 'remove', path: '/other' }]).ok).toBe(false);
});

describe('property', () => {
  const token = fc.constantFrom('a', 'b', '0', '1', '-');
  const value = fc.constantFrom<unknown>(1, 'x', {}, [], { a: [1] });
  const operation = fc
    .record({
      op: fc.constantFrom('add', 'remove', 'replace'),
      tokens: fc.array(token, { minLength: 1, maxLength: 3 }),
      value,
    })
    .map(
      ({ op, tokens, value: v }) =>
        ({ op, path: `/${tokens.join('/')}`, value: v }) as PatchOperation & { value: unknown },
    );
  const document = fc.constantFrom({ a: [1, 2], b: { a: 'x' } }, { a: { b: [{ a: 1 }] } }, {});

  test('agrees with a JSON patch library wherever that one is strict too', () => {
    let compared = 0;
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 4 }), (start, operations) => {
        const ours = applyPatch(deepFreeze(structuredClone(start)), operations);
        if (!ours.ok) return;
        compared += 1;
        // Not structuredClone: it keeps values shared between operations shared, and the library inserts them as they are.
        const copy = JSON.parse(JSON.stringify(operations)) as Parameters<typeof reference>[1];
        expect(ours.value).toEqual(
          reference(structuredClone(start) as object, copy, true).newDocument,
        );
      }),
      { numRuns: 500 },
    );
    expect(compared).toBeGreaterThan(100);
  });
});
