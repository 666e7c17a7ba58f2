import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { editDistance, suggest } from '../../lib/api/suggestion.js';

test.each([
  ['', '', 0],
  ['kitten', 'sitting', 3],
  ['flaw', 'lawn', 2],
  ['abc', '', 3],
])('%s and %s are %i apart', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
});

test.each([
  ['clusterAfinity', ['clusterAffinities', 'clusterAffinity'], 'clusterAffinity'],
  ['PRIORITY', ['priority'], 'priority'],
  ['tolerations', ['clusterAffinity', 'clusterTolerations'], 'clusterTolerations'],
  ['affinity', ['clusterAffinity', 'workloadAffinity'], undefined],
  ['replicas', ['clusterAffinity', 'spreadConstraints'], undefined],
  ['ab', ['ba', 'xb', 'aa'], 'aa'],
])('for %s of %j: %s', (name, known, meant) => {
  expect(suggest(name, known)?.name).toBe(meant);
});

test('distance is a metric: symmetric, zero only for equal texts, no detours are shorter', () => {
  const text = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
    }),
  );
});
