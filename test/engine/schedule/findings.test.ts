import { describe, expect, test } from '@jest/globals';
import type { Placement } from '../../../lib/api/placement.js';
import { gatesFor, indexFleet, placementFindings } from '../../../lib/engine/schedule/index.js';
import { AGGREGATED, DUPLICATED, DYNAMIC, rooms, spread, weighted, WEIGHTED } from './builders.js';

const fleet = indexFleet(rooms({ a: 9, b: 9, c: 9 }));
const find = (placement: Placement, profile: 'default' | 'karmada' = 'default') =>
  placementFindings({ placement, fleet, gates: gatesFor(profile), profile });

const preference = (placement: Placement, weightPreference: object): Placement => ({
  replicaScheduling: { ...placement.replicaScheduling, weightPreference },
});
const list = { staticWeightList: [{ targetCluster: {}, weight: 2 }] };

describe('what Karmada ignores', () => {
  test.each([
    {
      code: 'SPREAD_IGNORED_BY_STATIC_WEIGHTS',
      severity: 'error',
      placement: spread(weighted({ a: 1, b: 1, c: 1 }), [1, 1]),
      path: 'spreadConstraints',
    },
    {
      code: 'SPREAD_IGNORED_BY_STATIC_WEIGHTS',
      severity: 'error',
      placement: spread(WEIGHTED, [1, 1]),
      path: 'spreadConstraints',
    },
    {
      code: 'SPREAD_BY_LABEL_IGNORED',
      severity: 'error',
      placement: { spreadConstraints: [{ spreadByLabel: 'rack', minGroups: 1 }] },
      path: 'spreadConstraints.0',
    },
    {
      code: 'SPREAD_FIELD_ONLY_FILTERS',
      severity: 'error',
      placement: { spreadConstraints: [{ spreadByField: 'zone' as const, minGroups: 2 }] },
      path: 'spreadConstraints.0',
    },
    {
      code: 'SPREAD_FIELD_ONLY_FILTERS',
      severity: 'warning',
      placement: { spreadConstraints: [{ spreadByField: 'provider' as const, minGroups: 1 }] },
      path: 'spreadConstraints.0',
    },
    {
      code: 'SPREAD_MAX_GROUPS_MISSING',
      severity: 'error',
      placement: { spreadConstraints: [{ spreadByField: 'cluster' as const, minGroups: 1 }] },
      path: 'spreadConstraints.0',
    },
    {
      code: 'WEIGHTS_IGNORED',
      severity: 'error',
      placement: preference(DUPLICATED, list),
      path: 'replicaScheduling.weightPreference',
    },
    {
      code: 'WEIGHTS_IGNORED',
      severity: 'error',
      placement: preference(AGGREGATED, list),
      path: 'replicaScheduling.weightPreference',
    },
    {
      code: 'WEIGHTS_IGNORED',
      severity: 'error',
      placement: preference(DYNAMIC, { ...list, dynamicWeight: 'AvailableReplicas' }),
      path: 'replicaScheduling.weightPreference',
    },
    {
      code: 'WEIGHT_RULE_MATCHES_NOTHING',
      severity: 'warning',
      placement: weighted({ a: 1, x: 1 }),
      path: 'replicaScheduling.weightPreference.staticWeightList.1',
    },
    {
      code: 'WEIGHT_LEAVES_CLUSTER_OUT',
      severity: 'error',
      placement: {
        ...weighted({ a: 1, b: 1 }),
        clusterAffinity: { clusterNames: ['a', 'b', 'c'] },
      },
      path: 'replicaScheduling.weightPreference.staticWeightList',
    },
    {
      code: 'PLACEMENT_SELECTOR_MALFORMED',
      severity: 'error',
      placement: {
        clusterAffinity: {
          labelSelector: { matchExpressions: [{ key: 'tier', operator: 'In', values: [] }] },
        },
      },
      path: 'clusterAffinity.labelSelector',
    },
    {
      code: 'PLACEMENT_SELECTOR_MALFORMED',
      severity: 'error',
      placement: {
        clusterAffinities: [
          {
            affinityName: 'p',
            overflowAffinities: [
              { affinityName: 'o', labelSelector: { matchLabels: { '-': '' } } },
            ],
          },
        ],
      },
      path: 'clusterAffinities.0.overflowAffinities.0.labelSelector',
    },
    {
      code: 'PLACEMENT_TERM_MATCHES_NOTHING',
      severity: 'warning',
      placement: {
        clusterAffinities: [
          { affinityName: 'p', clusterNames: ['a'] },
          { affinityName: 'q', clusterNames: ['x'] },
        ],
      },
      path: 'clusterAffinities.1',
    },
  ])('$code ($severity) at $path', ({ code, severity, placement, path }) => {
    expect(find(placement as Placement)).toEqual([
      expect.objectContaining({
        code,
        severity,
        path: [
          'spec',
          'placement',
          ...path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
        ],
      }),
    ]);
  });

  test('PLACEMENT_WORKLOAD_AFFINITY_OFF only where the gate is off, and there as a warning', () => {
    const placement: Placement = { workloadAffinity: { antiAffinity: { groupByLabelKey: 'app' } } };

    expect(find(placement)).toEqual([]);
    expect(find(placement, 'karmada')).toEqual([
      expect.objectContaining({ code: 'PLACEMENT_WORKLOAD_AFFINITY_OFF', severity: 'warning' }),
    ]);
  });

  test('is only warned about in profile karmada', () => {
    expect(find(spread(WEIGHTED, [1, 1]), 'karmada')).toEqual([
      expect.objectContaining({ severity: 'warning' }),
    ]);
  });

  test.each([
    { name: 'dynamic weights with a spread', placement: spread(DYNAMIC, [1, 2], [1, 2]) },
    { name: 'static weights for all', placement: weighted({ a: 1, b: 2, c: 3 }) },
    { name: 'nothing', placement: {} },
  ])('is not found in $name', ({ placement }) => {
    expect(find(placement)).toEqual([]);
  });
});
