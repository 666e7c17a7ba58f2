import { describe, expect, test } from '@jest/globals';
import { plan } from '../../lib/engine/index.js';
import { own } from '../../lib/engine/own.js';
import { standardTools } from '../../lib/providers/tools.js';
import { unreadyClusters } from '../../lib/providers/rollout/work-order.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

const tools = standardTools();
const DIVIDED = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
};
const clusters = [aCluster('c0'), aCluster('constructor')];

test('a record has what it was given, and nothing it inherits', () => {
  const record: Record<string, number> = { a: 1 };

  expect([own(record, 'a'), own(record, 'constructor'), own(undefined, 'a')]).toEqual([
    1,
    undefined,
    undefined,
  ]);
});

describe('a cluster, a policy and a workload named constructor', () => {
  const inputOn = (...clusterNames: string[]): ReturnType<typeof anInput> =>
    anInput(
      [
        aDeployment('constructor', 4),
        aPolicy('constructor', { ...DIVIDED, clusterAffinity: { clusterNames } }),
      ],
      clusters,
    );
  const first = plan(inputOn('c0', 'constructor'), tools);

  test('are planned again without a change', () => {
    const again = plan({ ...inputOn('c0', 'constructor'), lock: first.lock }, tools);

    expect(again.lock).toBe(first.lock);
    expect(again.changes.map(({ action }) => action)).not.toContain('update');
  });

  test('come after a plan without them', () => {
    const before = plan(inputOn('c0'), tools);

    const after = plan({ ...inputOn('c0', 'constructor'), lock: before.lock }, tools);

    expect(after.bindings[0]?.assignments).toEqual([
      { cluster: 'c0', replicas: 2, previous: 4, wave: expect.any(String) },
      { cluster: 'constructor', replicas: 2, wave: expect.any(String) },
    ]);
  });

  test('are not there where they were not read', () => {
    expect(unreadyClusters(first, { members: {} })).toEqual(new Set());
  });
});
