import { describe, expect, test } from '@jest/globals';
import type { FleetLock } from '../../lib/api/fleet-lock.js';
import { plan } from '../../lib/engine/index.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

const tools = standardTools();
const input = anInput([aDeployment('web', 4), aPolicy('web', {})], [aCluster('a'), aCluster('b')]);
const { lock } = plan(input, tools);

describe('a lock that says something twice', () => {
  test.each<[string, Partial<FleetLock>, string]>([
    [
      'about an object',
      { bindings: lock.bindings.flatMap((one) => [one, { ...one, clusters: { b: 6 } }]) },
      'two decisions for Deployment shop/web',
    ],
    [
      'about a policy',
      { policies: (lock.policies ?? []).flatMap((one) => [one, { ...one, spec: 'ffff' }]) },
      'two entries for PropagationPolicy shop/web',
    ],
    [
      'about a cluster that is gone',
      { tombstones: ['1', '2'].map((n) => ({ cluster: 'c', since: n, resources: [] })) },
      'two tombstones for cluster c',
    ],
  ])('%s is refused, whoever read it', (_, fields, what) => {
    const result = plan({ ...input, lock: { ...lock, ...fields } }, tools);

    expect(result.applicable).toBe(false);
    expect(result.diagnostics.filter(({ code }) => code === 'LOCK_INVALID')).toMatchObject([
      { severity: 'error', summary: `The lock has ${what}.` },
    ]);
  });
});
