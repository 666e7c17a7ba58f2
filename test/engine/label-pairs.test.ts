import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { candidates, indexByPairs, requiredPairs } from '../../lib/engine/label-pairs.js';
import { compileLabelSelector, type LabelSelector } from '../../lib/engine/label-selector.js';

const key = fc.constantFrom('app', 'tier', 'zone');
const value = fc.constantFrom('a', 'b');
const labels = fc.dictionary(key, value, { maxKeys: 3 });
const selector: fc.Arbitrary<LabelSelector> = fc.record(
  {
    matchLabels: labels,
    matchExpressions: fc.array(
      fc.record({
        key,
        operator: fc.constantFrom('In', 'NotIn'),
        values: fc.array(value, { minLength: 1 }),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

test('candidates leave nothing out that matches, and name nothing twice', () => {
  fc.assert(
    fc.property(fc.array(selector, { maxLength: 10 }), labels, (selectors, given) => {
      const index = indexByPairs(selectors, requiredPairs);

      const found = candidates(index, given);

      expect(new Set(found).size).toBe(found.length);
      for (const one of selectors) {
        if (compileLabelSelector(one)(given)) expect(found).toContain(one);
      }
    }),
  );
});

test('a label that all require does not make all of them candidates', () => {
  const selectors = ['x', 'y', 'z'].map((app) => ({ matchLabels: { 'a-tier': 'prod', app } }));

  const found = candidates(indexByPairs(selectors, requiredPairs), { 'a-tier': 'prod', app: 'y' });

  expect(found).toEqual([selectors[1]]);
});
