import { describe, expect, test } from '@jest/globals';
import type { ClusterSpec, Taint } from '../../../lib/api/cluster.js';
import type { ClusterAffinity } from '../../../lib/api/placement.js';
import type { Toleration } from '../../../lib/api/toleration.js';
import {
  compileAffinity,
  createPeers,
  indexFleet,
  tolerates,
  verdictsOf,
} from '../../../lib/engine/schedule/index.js';
import { aBinding, DUPLICATED, roomFor, rooms, targets } from './builders.js';

describe('tolerates', () => {
  const taint = (key: string, value: string | undefined, effect: Taint['effect']): Taint => ({
    key,
    effect,
    ...(value !== undefined && { value }),
  });
  const cases: { name: string; toleration: Toleration; taint: Taint; want: boolean }[] = [
    {
      name: '25 no effect means every effect',
      toleration: { key: 'k', operator: 'Equal', value: 'v' },
      taint: taint('k', 'v', 'NoSchedule'),
      want: true,
    },
    {
      name: 'another effect',
      toleration: { key: 'k', operator: 'Exists', effect: 'NoExecute' },
      taint: taint('k', undefined, 'NoSchedule'),
      want: false,
    },
    {
      name: 'no key with Exists means everything',
      toleration: { operator: 'Exists' },
      taint: taint('k', 'v', 'NoExecute'),
      want: true,
    },
    {
      name: 'no key with Equal compares values',
      toleration: { value: 'v' },
      taint: taint('k', 'v', 'NoSchedule'),
      want: true,
    },
    {
      name: 'an unknown operator',
      toleration: { key: 'k', operator: 'Lt', value: '5' },
      taint: taint('k', '4', 'NoSchedule'),
      want: false,
    },
    {
      name: 'another value',
      toleration: { key: 'k', value: 'w' },
      taint: taint('k', 'v', 'NoSchedule'),
      want: false,
    },
  ];
  test.each(cases)('$name: $want', ({ toleration, taint: one, want }) => {
    expect(tolerates(toleration, one)).toBe(want);
  });
});

describe('compileAffinity', () => {
  const field = (key: string, operator: string, values?: string[]): ClusterAffinity => ({
    fieldSelector: { matchExpressions: [{ key, operator, ...(values && { values }) }] },
  });
  const cases: {
    name: string;
    affinity: ClusterAffinity;
    cluster?: Partial<ClusterSpec>;
    want: boolean;
  }[] = [
    { name: 'nothing set', affinity: {}, want: true },
    {
      name: '29 named and excluded',
      affinity: { clusterNames: ['m1'], exclude: ['m1'] },
      want: false,
    },
    {
      name: '30 NotIn on an empty provider',
      affinity: field('provider', 'NotIn', ['aws']),
      want: true,
    },
    { name: '31 In on an empty region', affinity: field('region', 'In', ['eu']), want: false },
    {
      name: '32 NotIn on one of the zones',
      affinity: field('zone', 'NotIn', ['z1']),
      cluster: { zones: ['z1', 'z2'] },
      want: false,
    },
    {
      name: '33 In on one of the zones',
      affinity: field('zone', 'In', ['z1']),
      cluster: { zones: ['z1', 'z2'] },
      want: true,
    },
    {
      name: 'the deprecated single zone',
      affinity: field('zone', 'In', ['z1']),
      cluster: { zone: 'z1' },
      want: true,
    },
    {
      name: 'In without values is malformed',
      affinity: field('provider', 'In', []),
      cluster: { provider: 'aws' },
      want: false,
    },
    {
      name: 'an unknown zone operator',
      affinity: field('zone', 'Gt', ['1']),
      cluster: { zones: ['2'] },
      want: false,
    },
    {
      name: 'Gt compares whole numbers',
      affinity: field('region', 'Gt', ['9']),
      cluster: { region: '10' },
      want: true,
    },
    {
      name: 'Gt on text',
      affinity: field('region', 'Gt', ['9']),
      cluster: { region: 'eu' },
      want: false,
    },
    { name: 'an empty selector', affinity: { labelSelector: {} }, want: true },
  ];
  test.each(cases)('$name: $want', ({ affinity, cluster = {}, want }) => {
    const [facts] = indexFleet([roomFor('m1', 1, cluster)]).clusters;

    expect(facts && compileAffinity(affinity)(facts)).toBe(want);
  });
});

describe('workload affinity', () => {
  const peer = (name: string, group: object, clusters: Record<string, number>) => ({
    metadata: { name: `${name}-deployment`, namespace: 'shop' },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
      clusters: targets(clusters),
      workloadAffinityGroups: group,
    },
  });
  const passing = (
    group: object,
    peers: ReturnType<typeof peer>[],
    had: Record<string, number> = {},
  ): string[] => {
    const fleet = indexFleet(rooms({ m1: 9, m2: 9, m3: 9 }));
    const spec = aBinding(1, DUPLICATED, { workloadAffinityGroups: group, clusters: targets(had) });
    const verdicts = verdictsOf(fleet, spec, [], { affinityName: '', peers: createPeers(peers) });
    return verdicts
      .filter(({ code }) => code !== 'WorkloadAffinity' && code !== 'WorkloadAntiAffinity')
      .map(({ cluster }) => cluster);
  };
  const near = { affinityGroup: 'app=g' };
  const apart = { antiAffinityGroup: 'app=g' };

  test('36 only where every placed peer is', () => {
    expect(
      passing(near, [
        peer('x', near, { m1: 1, m2: 1 }),
        peer('y', near, { m2: 1, m3: 1 }),
        peer('z', near, {}),
      ]),
    ).toEqual(['m2']);
  });

  test('37 anywhere for the first of a group', () => {
    expect(passing(near, [])).toEqual(['m1', 'm2', 'm3']);
  });

  test('38 apart from peers, but where it is it stays', () => {
    expect(passing(apart, [peer('x', apart, { m1: 1, m3: 0 })], { m1: 1 })).toEqual(['m1', 'm2']);
  });

  test('does not count the binding itself, other namespaces or other groups', () => {
    const elsewhere = peer('x', apart, { m1: 1 });
    const others = [
      peer('web', apart, { m1: 1 }),
      { ...elsewhere, metadata: { name: 'x-deployment', namespace: 'other' } },
      peer('y', { antiAffinityGroup: 'app=h' }, { m1: 1 }),
    ];

    expect(passing(apart, others)).toEqual(['m1', 'm2', 'm3']);
  });
});
