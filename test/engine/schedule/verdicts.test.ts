import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../lib/api/cluster.js';
import type { Placement } from '../../../lib/api/placement.js';
import type { ResourceBindingSpec } from '../../../lib/api/resource-binding.js';
import {
  createPeers,
  indexFleet,
  verdictsOf,
  verdictsWhenAsked,
} from '../../../lib/engine/schedule/index.js';
import {
  aBinding,
  decide,
  describeOutcome,
  DUPLICATED,
  DYNAMIC,
  roomFor,
  rooms,
  spread,
  targets,
} from './builders.js';

const labelled = (name: string, labels: Record<string, string>) => roomFor(name, 9, { labels });
const tainted = (
  name: string,
  key: string,
  effect: 'NoSchedule' | 'NoExecute',
  value?: string,
): Cluster =>
  roomFor(name, 9, { taints: [{ key, effect, ...(value !== undefined && { value }) }] });

interface Case {
  readonly name: string;
  readonly cluster: Cluster;
  readonly placement?: Placement;
  readonly more?: Partial<ResourceBindingSpec>;
  readonly code: string;
  readonly cause?: string;
  readonly message: string;
}

const prod: Placement = {
  ...DUPLICATED,
  clusterAffinity: { labelSelector: { matchLabels: { tier: 'prod' } } },
};
const affinityCause = 'cluster(s) did not match the placement cluster affinity constraint';

const cases: Case[] = [
  {
    name: 'no API known',
    cluster: { ...roomFor('a', 9), status: {} },
    code: 'APIEnablement',
    cause: 'cluster(s) did not have the API resource',
    message: 'apps/v1 Deployment is not served: the snapshot lists no API of this cluster',
  },
  {
    name: 'another version of the kind',
    cluster: {
      ...roomFor('a', 9),
      status: {
        apiEnablements: [
          {
            groupVersion: 'apps/v1beta1',
            resources: [{ name: 'deployments', kind: 'Deployment' }],
          },
        ],
      },
    },
    code: 'APIEnablement',
    message: 'apps/v1 Deployment is not served; Deployment is served as apps/v1beta1',
  },
  {
    name: 'taint with a value',
    cluster: tainted('a', 'gpu', 'NoSchedule', 'true'),
    code: 'TaintToleration',
    cause: 'cluster(s) had untolerated taint {gpu=true:NoSchedule}',
    message: 'taint gpu=true:NoSchedule is not tolerated',
  },
  {
    name: 'taint without one',
    cluster: tainted('a', 'gpu', 'NoExecute'),
    code: 'TaintToleration',
    cause: 'cluster(s) had untolerated taint {gpu:NoExecute}',
    message: 'taint gpu:NoExecute is not tolerated',
  },
  {
    name: 'another label value',
    cluster: labelled('a', { tier: 'lab' }),
    placement: prod,
    code: 'ClusterAffinity',
    cause: affinityCause,
    message: 'does not match the cluster affinity: label tier is "lab", not "prod"',
  },
  {
    name: 'no such label',
    cluster: labelled('a', {}),
    placement: prod,
    code: 'ClusterAffinity',
    message: 'does not match the cluster affinity: label tier is absent, not "prod"',
  },
  {
    name: 'excluded',
    cluster: roomFor('a', 9),
    placement: { clusterAffinity: { exclude: ['a'] } },
    code: 'ClusterAffinity',
    message: 'does not match the cluster affinity: it is excluded by name',
  },
  {
    name: 'not named',
    cluster: roomFor('a', 9),
    placement: { clusterAffinity: { clusterNames: ['b'] } },
    code: 'ClusterAffinity',
    message: 'does not match the cluster affinity: it is not among the cluster names',
  },
  {
    name: 'another region',
    cluster: roomFor('a', 9, { region: 'us' }),
    placement: {
      clusterAffinity: {
        fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['eu'] }] },
      },
    },
    code: 'ClusterAffinity',
    message: 'does not match the cluster affinity: region is "us", wanted In (eu)',
  },
  {
    name: 'a term',
    cluster: roomFor('a', 9),
    placement: { clusterAffinities: [{ affinityName: 'p', clusterNames: ['b'] }] },
    code: 'ClusterAffinity',
    message: 'does not match affinity "p": it is not among the cluster names',
  },
  {
    name: 'no region to spread by',
    cluster: roomFor('a', 9),
    placement: spread(DUPLICATED, [1, 1], [1, 1]),
    code: 'SpreadConstraint',
    cause: 'cluster(s) did not have region property',
    message: 'has no region, which the placement spreads by',
  },
  {
    name: 'being evicted',
    cluster: roomFor('a', 9),
    more: {
      gracefulEvictionTasks: [
        { fromCluster: 'a', producer: 'TaintManager', reason: 'TaintUntolerated' },
      ],
    },
    code: 'ClusterEviction',
    cause: 'cluster(s) is in the process of eviction',
    message: 'the workload is being evicted from it (TaintUntolerated)',
  },
  {
    name: 'being removed',
    cluster: {
      ...roomFor('a', 9),
      metadata: { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' },
    },
    code: 'Deleting',
    message: 'the cluster is being removed',
  },
];

describe('a refused cluster', () => {
  test.each(cases)(
    '$name',
    ({ cluster, placement = DUPLICATED, more = {}, code, cause, message }) => {
      const spec = aBinding(2, placement, more);
      const [verdict] = verdictsOf(indexFleet([cluster]), spec, [], {
        affinityName: placement.clusterAffinities === undefined ? '' : 'p',
      });

      expect(verdict).toMatchObject({
        cluster: 'a',
        chosen: false,
        code,
        message,
        ...(cause !== undefined && { cause }),
      });
    },
  );

  test('names the peer that keeps it out', () => {
    const group = { affinityGroup: 'app=shop', antiAffinityGroup: 'db=main' };
    const peers = createPeers([
      {
        metadata: { name: 'api-deployment', namespace: 'shop' },
        spec: {
          resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api', namespace: 'shop' },
          clusters: targets({ b: 1 }),
          workloadAffinityGroups: { affinityGroup: 'app=shop' },
        },
      },
      {
        metadata: { name: 'db-deployment', namespace: 'shop' },
        spec: {
          resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'db', namespace: 'shop' },
          clusters: targets({ b: 1 }),
          workloadAffinityGroups: { antiAffinityGroup: 'db=main' },
        },
      },
    ]);
    const verdicts = verdictsOf(
      indexFleet(rooms({ a: 9, b: 9 })),
      aBinding(1, DUPLICATED, { workloadAffinityGroups: group }),
      [],
      { affinityName: '', peers },
    );

    expect(verdicts.map(({ message }) => message)).toEqual([
      'api-deployment of affinity group app=shop is not on it',
      'db-deployment of anti-affinity group db=main is on it',
    ]);
  });

  test('shares what depends on the placement alone between bindings', () => {
    const fleet = indexFleet([tainted('a', 'gpu', 'NoSchedule'), roomFor('b', 9)]);
    const verdictOf = (name: string) =>
      verdictsOf(
        fleet,
        aBinding(2, DUPLICATED, {
          resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
        }),
        [],
        { affinityName: '' },
      )[0];

    expect(verdictOf('one')).toBe(verdictOf('two'));
  });

  test('does not change with what is decided after it', () => {
    const group = { antiAffinityGroup: 'db=main' };
    const peers = createPeers();
    const spec = aBinding(1, DUPLICATED, { workloadAffinityGroups: group });
    const fleet = indexFleet(rooms({ a: 9 }));
    const verdicts = verdictsWhenAsked(fleet, spec, [], { affinityName: '', peers });
    const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'db', namespace: 'shop' };

    peers.put({
      metadata: { name: 'db-deployment', namespace: 'shop' },
      spec: { resource, clusters: targets({ a: 1 }), workloadAffinityGroups: group },
    });

    expect(verdicts()[0]?.code).toBe('NotSelected');
    expect(verdictsOf(fleet, spec, [], { affinityName: '', peers })[0]?.code).toBe(
      'WorkloadAntiAffinity',
    );
  });

  test('that has the binding is judged as bound, beside bindings that do not have it', () => {
    const fleet = indexFleet([tainted('a', 'gpu', 'NoSchedule'), roomFor('b', 9)]);
    verdictsOf(fleet, aBinding(2, DUPLICATED), [], { affinityName: '' });

    const bound = verdictsOf(fleet, aBinding(2, DUPLICATED, { clusters: targets({ a: 2 }) }), [], {
      affinityName: '',
    });

    expect(bound.find(({ cluster }) => cluster === 'a')?.code).toBe('NotSelected');
  });

  test('all of them: the histogram, as Karmada writes it', () => {
    const clusters = [
      ...Array.from({ length: 10 }, (_, i) => tainted(`t${i}`, 'k', 'NoSchedule')),
      ...['x', 'y'].map((name) => ({ ...roomFor(name, 9), status: {} })),
    ];

    const outcome = decide(clusters, aBinding(1, DUPLICATED));

    expect(outcome.reason).toBe('NoClusterFit');
    expect(describeOutcome(outcome)).toBe(
      '0/12 clusters are available: 10 cluster(s) had untolerated taint {k:NoSchedule}, 2 cluster(s) did not have the API resource.',
    );
  });
});

describe('a chosen cluster', () => {
  test('says how many of how many, why, and how many before', () => {
    const spec = aBinding(9, DYNAMIC, { clusters: targets({ a: 3 }) });
    const clusters = rooms({ a: 4, b: 5, c: 0 });
    const outcome = decide(clusters, spec);

    const verdicts = verdictsOf(indexFleet(clusters), spec, outcome.clusters, {
      affinityName: '',
      outcome,
    });

    expect(verdicts.map(({ cluster, message }) => `${cluster}: ${message}`)).toEqual([
      'a: chosen · 6 of 9 replicas, by free capacity, was 3',
      'b: chosen · 3 of 9 replicas, by free capacity',
      'c: fits, but no replica was left for it',
    ]);
  });

  test('says what hints made of it', () => {
    const hints = { division: 'even', bounds: [{ max: 5 }] } as const;
    const clusters = rooms({ a: 4, b: 5 });
    const outcome = decide(clusters, aBinding(4, DYNAMIC), { hints });

    const [verdict] = verdictsOf(indexFleet(clusters), aBinding(4, DYNAMIC), outcome.clusters, {
      affinityName: '',
      outcome,
      hints,
    });

    expect(verdict?.message).toBe('chosen · 2 of 4 replicas, in equal shares within bounds');
  });

  test('stays when nothing was decided', () => {
    const [verdict] = verdictsOf(
      indexFleet(rooms({ a: 4 })),
      aBinding(9, DYNAMIC),
      targets({ a: 9 }),
      { affinityName: '' },
    );

    expect(verdict).toEqual({ cluster: 'a', chosen: true, code: 'Kept', message: 'stays' });
  });
});

describe('an explanation', () => {
  test('has the numbers, and who got the last replica and why', () => {
    const outcome = decide(rooms({ a: 6, b: 12, c: 18 }), aBinding(11, DYNAMIC), { explain: true });

    expect(outcome.explanation?.candidates[0]).toEqual({
      cluster: 'c',
      score: 0,
      allocatable: 18,
      available: 18,
    });
    expect(outcome.explanation?.division).toEqual([
      {
        title: 'scale up',
        replicas: 11,
        parties: [
          { cluster: 'a', weight: 6, got: 2 },
          { cluster: 'b', weight: 12, got: 4 },
          { cluster: 'c', weight: 18, got: 5 },
        ],
        lastSeat: {
          cluster: 'b',
          priority: 12 / 7,
          wasTie: false,
          next: { cluster: 'c', priority: 18 / 11 },
        },
      },
    ]);
  });

  test('has the regions, their scores and the choice', () => {
    const clusters = [
      roomFor('a1', 10, { region: 'r1' }),
      roomFor('a2', 10, { region: 'r1' }),
      roomFor('b1', 30, { region: 'r2' }),
    ];

    const outcome = decide(clusters, aBinding(10, spread(DUPLICATED, [1, 2], [1, 1])), {
      explain: true,
    });

    expect(outcome.explanation?.regions).toEqual({
      scored: [
        { name: 'r1', value: 2, weight: 2000 },
        { name: 'r2', value: 1, weight: 1000 },
      ],
      chosen: ['r1'],
    });
    expect(outcome.explanation?.selected).toEqual(['a1', 'a2']);
  });
});
