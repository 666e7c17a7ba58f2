import { expect, test } from '@jest/globals';
import { withDefaultCounts } from '../../lib/engine/template-defaults.js';

test.each([
  ['a Deployment without replicas has one', 'apps/v1', 'Deployment', {}, { replicas: 1 }],
  ['zero replicas stay zero', 'apps/v1', 'Deployment', { replicas: 0 }, { replicas: 0 }],
  ['null is absent', 'apps/v1', 'StatefulSet', { replicas: null }, { replicas: 1 }],
  [
    'a Job without parallelism has one',
    'batch/v1',
    'Job',
    { completions: 3 },
    { completions: 3, parallelism: 1 },
  ],
  ['other kinds have no count', 'apps/v1', 'DaemonSet', {}, {}],
])('%s', (_name, apiVersion, kind, spec, expected) => {
  expect(withDefaultCounts({ apiVersion, kind, metadata: { name: 'a' }, spec })['spec']).toEqual(
    expected,
  );
});
