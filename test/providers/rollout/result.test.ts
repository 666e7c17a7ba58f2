import { expect, test } from '@jest/globals';
import { ProviderError, type ProviderFailure } from '../../../lib/providers/cluster/index.js';
import { toFailure } from '../../../lib/providers/rollout/result.js';

const refused = (failure: ProviderFailure): ProviderError =>
  new ProviderError(failure, 'eu-1: no', { cluster: 'eu-1', verb: 'patch' });

test.each([
  ['unauthorized', 'CLUSTER_UNAUTHORIZED'],
  ['forbidden', 'CLUSTER_FORBIDDEN'],
  ['conflict', 'APPLY_CONFLICT'],
  ['invalid', 'APPLY_REFUSED'],
  ['timeout', 'CLUSTER_UNREACHABLE'],
] as const)('what a cluster answers with %s becomes %s', (failure, code) => {
  expect(toFailure(refused(failure))).toEqual({ code, message: 'eu-1: no' });
});

test('what is no failure of a cluster is a bug and is thrown on', () => {
  expect(() => toFailure(new TypeError('x'))).toThrow('x');
});
