import { expect, test } from '@jest/globals';
import { editDistance, isSimilar } from '../../../lib/engine/claim/similar.js';

test.each([
  ['deployment', 'Deployment', true],
  ['Deployments', 'Deployment', true],
  ['Service', 'Ingress', false],
  ['web-emv', 'web-env', true],
  ['a', 'b', false],
  ['frontend', 'backend', false],
])('%s and %s: %s', (a, b, similar) => {
  expect(isSimilar(a, b)).toBe(similar);
  expect(isSimilar(b, a)).toBe(similar);
});

test('edit distance counts insertions, deletions and substitutions', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3);
  expect(editDistance('', 'abc')).toBe(3);
});
