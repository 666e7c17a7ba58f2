import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { expand, type Share } from '../../../lib/engine/karmada/index.js';
import { refKey, refOf } from '../../../lib/engine/object.js';

const deployment = (replicas: number, name = 'web', kind = 'Deployment'): KubeObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'shop' },
  spec: { replicas },
});
const policy = (replicaScheduling?: object): KubeObject => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    resourceSelectors: [],
    placement: {
      clusterAffinity: { labelSelector: { matchLabels: { tier: 'prod' } } },
      spreadConstraints: [{ spreadByField: 'region', minGroups: 2 }],
      clusterTolerations: [{ key: 'gpu', operator: 'Exists' }],
      ...(replicaScheduling !== undefined && { replicaScheduling }),
    },
  },
});
const DIVIDED = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };
const shares = (counts: Readonly<Record<string, number>>): readonly Share[] =>
  Object.entries(counts).map(([cluster, replicas]) => ({ cluster, replicas }));

describe('a policy that grows first', () => {
  test.each([
    ['nothing changes', { a: 2, b: 2 }, { a: 2, b: 2 }],
    ['all grow', { a: 2 }, { a: 3, b: 1 }],
    ['all shrink', { a: 4, b: 4 }, { a: 2, b: 2 }],
    ['new', {}, { a: 1 }],
  ])('%s: the documents do', (_name, current, planned) => {
    const inputs = [
      { template: deployment(4), current: shares(current), planned: shares(planned) },
    ];
    expect(expand(policy(DIVIDED), inputs)).toEqual({ kind: 'none' });
  });

  test('a cluster leaves: named, pinned at the larger of both counts, without the rules that choose', () => {
    const expansion = expand(policy(DIVIDED), [
      { template: deployment(4), current: shares({ a: 3, b: 1 }), planned: shares({ b: 2, c: 2 }) },
    ]);

    if (expansion.kind !== 'expanded') throw new Error(expansion.kind);
    expect(expansion.policy['spec']).toEqual({
      resourceSelectors: [],
      placement: {
        clusterAffinity: { clusterNames: ['a', 'b', 'c'] },
        clusterTolerations: [{ key: 'gpu', operator: 'Exists' }],
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: {
            staticWeightList: [
              { targetCluster: { clusterNames: ['a'] }, weight: 3 },
              { targetCluster: { clusterNames: ['b'] }, weight: 2 },
              { targetCluster: { clusterNames: ['c'] }, weight: 2 },
            ],
          },
        },
      },
    });
    expect([...expansion.templates.values()]).toMatchObject([{ spec: { replicas: 7 } }]);
    expect([...expansion.shares.values()]).toEqual([shares({ a: 3, b: 2, c: 2 })]);
  });

  test('duplicated: every cluster keeps or gets all replicas, the template stays', () => {
    const expansion = expand(policy(), [
      { template: deployment(4), current: shares({ a: 4 }), planned: shares({ b: 4 }) },
    ]);

    if (expansion.kind !== 'expanded') throw new Error(expansion.kind);
    expect(expansion.templates.size).toBe(0);
    expect([...expansion.shares.values()]).toEqual([shares({ a: 4, b: 4 })]);
    expect(expansion.policy['spec']).toMatchObject({
      placement: { clusterAffinity: { clusterNames: ['a', 'b'] } },
    });
  });

  test('objects without replicas go along to every cluster', () => {
    const config = { ...deployment(0, 'env'), apiVersion: 'v1', kind: 'ConfigMap' };
    const expansion = expand(policy(DIVIDED), [
      { template: deployment(2), current: shares({ a: 2 }), planned: shares({ b: 2 }) },
      { template: config, current: [{ cluster: 'a' }], planned: [{ cluster: 'b' }] },
    ]);

    if (expansion.kind !== 'expanded') throw new Error(expansion.kind);
    expect(expansion.shares.get(refKey(refOf(config)))).toEqual([
      { cluster: 'a' },
      { cluster: 'b' },
    ]);
  });

  test.each([
    ['a kind without spec.replicas', 'Job', ['web'], 'Job shop/web has no spec.replicas'],
  ])('%s cannot', (_name, kind, names, reason) => {
    const expansion = expand(
      policy(DIVIDED),
      names.map((name) => ({
        template: deployment(2, name, kind),
        current: shares({ a: 2 }),
        planned: shares({ b: 2 }),
      })),
    );
    expect(expansion).toMatchObject({ kind: 'impossible' });
    expect(expansion.kind === 'impossible' && expansion.reason).toContain(reason);
  });

  test('several divided workloads in the same proportion are pinned by one list of weights', () => {
    const expansion = expand(policy(DIVIDED), [
      { template: deployment(4), current: shares({ a: 2, b: 2 }), planned: shares({ b: 2, c: 2 }) },
      {
        template: deployment(8, 'api'),
        current: shares({ a: 4, b: 4 }),
        planned: shares({ b: 4, c: 4 }),
      },
    ]);

    if (expansion.kind !== 'expanded') throw new Error(expansion.kind);
    expect(
      [...expansion.templates.values()].map(
        (one) => (one['spec'] as { replicas: number }).replicas,
      ),
    ).toEqual([6, 12]);
    expect(weightsOf(expansion.policy)).toEqual([2, 2, 2]);
    expect([...expansion.shares.values()]).toEqual([
      shares({ a: 2, b: 2, c: 2 }),
      shares({ a: 4, b: 4, c: 4 }),
    ]);
  });

  test('in different proportions they cannot be, and the two that disagree are named', () => {
    const expansion = expand(policy(DIVIDED), [
      { template: deployment(4), current: shares({ a: 2, b: 2 }), planned: shares({ b: 2, c: 2 }) },
      {
        template: deployment(4, 'api'),
        current: shares({ a: 1, b: 3 }),
        planned: shares({ b: 3, c: 1 }),
      },
    ]);

    expect(expansion).toEqual({
      kind: 'impossible',
      reason:
        'one list of static weights would have to keep the replicas of Deployment shop/web (a 2, b 2, c 2) and of Deployment shop/api (a 1, b 3, c 1)',
    });
  });

  test('several divided workloads of which none moves need no pinning, whatever their proportions', () => {
    const inputs = [
      { template: deployment(4), current: shares({ a: 2, b: 2 }), planned: shares({ a: 2, b: 2 }) },
      {
        template: deployment(4, 'api'),
        current: shares({ a: 1, b: 3 }),
        planned: shares({ a: 1, b: 3 }),
      },
    ];

    expect(expand(policy(DIVIDED), inputs)).toEqual({ kind: 'none' });
  });
});

function weightsOf(policy: KubeObject): readonly number[] {
  const { placement } = policy['spec'] as {
    placement: {
      replicaScheduling: { weightPreference: { staticWeightList: { weight: number }[] } };
    };
  };
  return placement.replicaScheduling.weightPreference.staticWeightList.map(({ weight }) => weight);
}
