import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../../lib/api/object.js';
import { isOnlyScaled } from '../../../../lib/engine/rollout/index.js';

/** A Deployment whose replicas somebody else decides. */
function web({
  replicas = 3,
  available = replicas,
  image = 'nginx:1',
  manager = 'kube-controller-manager',
  subresource = 'scale',
  going = false,
}: {
  replicas?: number;
  available?: number;
  image?: string;
  manager?: string;
  subresource?: string;
  going?: boolean;
}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      namespace: 'shop',
      ...(going && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      managedFields: [
        { manager, operation: 'Update', subresource, fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      ],
    },
    spec: { replicas, template: { spec: { containers: [{ name: 'web', image }] } } },
    status: { availableReplicas: available },
  };
}

describe('an object that was ready with three replicas', () => {
  const was = web({});
  const CASES: readonly (readonly [string, KubeObject, boolean])[] = [
    ['grows, with its three still there', web({ replicas: 6, available: 3 }), true],
    ['grows, and lost one', web({ replicas: 6, available: 2 }), false],
    ['shrinks to two, and has two', web({ replicas: 2, available: 2 }), true],
    ['shrinks to two, and has one', web({ replicas: 2, available: 1 }), false],
    ['gets another image', web({ replicas: 6, available: 6, image: 'nginx:2' }), false],
    [
      'is scaled in the field that is ours',
      web({ replicas: 6, available: 3, manager: 'fleetwright', subresource: '' }),
      false,
    ],
    ['is being deleted', web({ replicas: 6, available: 6, going: true }), false],
    [
      'has no known owner of the field',
      { ...web({ replicas: 6 }), metadata: { name: 'web', namespace: 'shop' } },
      false,
    ],
  ];

  test.each(CASES)('%s', (_what, live, expected) => {
    expect(isOnlyScaled(was, live)).toBe(expected);
  });

  test('and is of a kind without replicas', () => {
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'env' } };

    expect(isOnlyScaled(config, config)).toBe(false);
  });
});
