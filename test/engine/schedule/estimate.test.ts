import { describe, expect, test } from '@jest/globals';
import type { Cluster, ResourceModel } from '../../../lib/api/cluster.js';
import type { Component } from '../../../lib/api/replica-requirements.js';
import { estimateReplicas } from '../../../lib/engine/schedule/estimate/replicas.js';
import { estimateSets } from '../../../lib/engine/schedule/estimate/sets.js';
import {
  assume,
  createAssumed,
  gatesFor,
  indexFleet,
  parseQuantity,
  scheduleBinding,
} from '../../../lib/engine/schedule/index.js';
import { aBinding, describeOutcome, DYNAMIC, roomFor } from './builders.js';

type Summary = NonNullable<NonNullable<Cluster['status']>['resourceSummary']>;

const gates = gatesFor('karmada');

function aCluster(
  summary: Summary | undefined,
  resourceModels?: readonly ResourceModel[],
): Cluster {
  const base = roomFor('a', 0);
  const { resourceSummary: _none, ...status } = base.status ?? {};
  return {
    ...base,
    spec: { ...base.spec, ...(resourceModels && { resourceModels }) },
    status: { ...status, ...(summary && { resourceSummary: summary }) },
  };
}

function replicasOn(
  cluster: Cluster,
  resourceRequest: Record<string, string> | undefined,
): number | undefined {
  const out = new Float64Array(1);
  estimateReplicas(
    indexFleet([cluster]).capacity,
    gates,
    resourceRequest && { resourceRequest },
    [0],
    out,
  );
  return out[0];
}

const grades = (...mins: readonly (readonly [cpu: string, memory?: string])[]): ResourceModel[] =>
  mins.map(([cpu, memory], grade) => ({
    grade,
    ranges: [
      { name: 'cpu', min: cpu, max: '1000' },
      ...(memory === undefined ? [] : [{ name: 'memory', min: memory, max: '1000Gi' }]),
    ],
  }));
const nodes = (...counts: readonly number[]) => counts.map((count, grade) => ({ grade, count }));
const plenty = { pods: '1000', cpu: '1000', memory: '1000Gi' };

/** The worked examples of the scheduling reference §21.4, by their numbers. */
describe('replicas that a cluster has room for', () => {
  test.each([
    { name: '41 nothing known', summary: undefined, request: {}, want: 0 },
    {
      name: '42 free pods',
      summary: {
        allocatable: { pods: '110' },
        allocated: { pods: '100' },
        allocating: { pods: '5' },
      },
      request: undefined,
      want: 5,
    },
    {
      name: '43 the scarcest resource',
      summary: {
        allocatable: { pods: '1000', cpu: '10', memory: '16Gi' },
        allocated: { cpu: '4500m', memory: '6Gi' },
        allocating: { cpu: '500m' },
      },
      request: { cpu: '700m', memory: '1536Mi' },
      want: 6,
    },
    {
      name: '44 a resource it does not have',
      summary: { allocatable: plenty },
      request: { 'nvidia.com/gpu': '1' },
      want: 0,
    },
    { name: '45 no request', summary: { allocatable: { pods: '30' } }, request: {}, want: 30 },
    {
      name: 'overcommitted',
      summary: { allocatable: { pods: '9', cpu: '1' }, allocated: { cpu: '2' } },
      request: { cpu: '1m' },
      want: 0,
    },
  ])('$name', ({ summary, request, want }) => {
    expect(replicasOn(aCluster(summary), request)).toBe(want);
  });

  test.each([
    {
      name: '46 totals are not looked at',
      models: grades(['0'], ['1'], ['2']),
      counts: nodes(1, 1, 1),
      request: { cpu: '3' },
      want: 0,
    },
    {
      name: '47 both resources on one node',
      models: grades(['0', '0'], ['1', '1Gi'], ['2', '2Gi']),
      counts: nodes(1, 1, 1),
      request: { cpu: '1', memory: '1536Mi' },
      want: 1,
    },
    {
      name: '48 only the larger nodes',
      models: grades(['0'], ['500m'], ['2']),
      counts: nodes(0, 5, 10),
      request: { cpu: '1500m' },
      want: 10,
    },
    {
      name: '49 all nodes',
      models: grades(['0'], ['500m'], ['2']),
      counts: nodes(0, 5, 10),
      request: { cpu: '500m' },
      want: 45,
    },
    {
      name: '50 pods of nodes, and of the cluster',
      models: grades(['0'], ['500m'], ['2']),
      counts: nodes(0, 5, 10),
      request: {},
      want: 1000,
    },
    {
      name: 'a negative count: totals decide',
      models: grades(['0'], ['2']),
      counts: nodes(-1, 1),
      request: { cpu: '500' },
      want: 2,
    },
  ])('$name (resource models)', ({ models, counts, request, want }) => {
    expect(
      replicasOn(aCluster({ allocatable: plenty, allocatableModelings: counts }, models), request),
    ).toBe(want);
  });
});

describe('sets of components that a cluster has room for', () => {
  const sets = (cluster: Cluster, components: readonly Component[]): number | undefined => {
    const out = new Float64Array(1);
    estimateSets(indexFleet([cluster]).capacity, gates, components, [0], out);
    return out[0];
  };
  const component = (replicas: number, resourceRequest: Record<string, string>): Component => ({
    name: `c${replicas}`,
    replicas,
    replicaRequirements: { resourceRequest },
  });

  test('51 only complete sets count', () => {
    const models = grades(['1', '2Gi'], ['2', '4Gi'], ['4', '8Gi']);
    const summary = { allocatable: plenty, allocatableModelings: nodes(4, 3, 2) };

    expect(sets(aCluster(summary, models), [component(2, { cpu: '2', memory: '4Gi' })])).toBe(3);
  });

  test('52 decimal against binary notation: thousandths against units', () => {
    expect(
      sets(aCluster({ allocatable: { pods: '10', memory: '8Gi' } }), [
        component(1, { memory: '1G' }),
      ]),
    ).toBe(0);
  });
});

describe('bindings decided together', () => {
  const fleet = indexFleet([aCluster({ allocatable: { pods: '100', cpu: '10' } }, undefined)]);
  const spec = (name: string) =>
    aBinding(6, DYNAMIC, {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
      replicaRequirements: { resourceRequest: { cpu: '1' } },
    });
  const decideBoth = (isProtected: boolean) => {
    const assumed = createAssumed(fleet.capacity);
    const context = { gates: { ...gates, SchedulingOvercommitProtection: isProtected }, assumed };
    const first = scheduleBinding(fleet, { spec: spec('one') }, context);
    assume(assumed, spec('one'), first.clusters, fleet.positionOf);
    return scheduleBinding(fleet, { spec: spec('two') }, context);
  };

  test('count each other’s capacity', () => {
    expect(describeOutcome(decideBoth(true))).toBe(
      'failed to assign replicas: failed to scale up: Clusters available replicas 4 are not enough to schedule.',
    );
  });

  test('do not, without overcommit protection', () => {
    expect(describeOutcome(decideBoth(false))).toBe('a 6');
  });

  test('take room on virtual nodes first-fit', () => {
    const models = indexFleet([
      aCluster({ allocatable: plenty, allocatableModelings: nodes(0, 2) }, grades(['0'], ['4'])),
    ]);
    const assumed = createAssumed(models.capacity);
    assumed.add(0, {
      components: [
        { name: 'x', replicas: 3, replicaRequirements: { resourceRequest: { cpu: '1500m' } } },
      ],
    });
    const out = new Float64Array(1);

    estimateReplicas(assumed.capacity, gates, { resourceRequest: { cpu: '2' } }, [0], out);

    expect(out[0]).toBe(1);
  });

  test('count only what grows: the rest is in the snapshot', () => {
    const assumed = createAssumed(fleet.capacity);
    const bound = { ...spec('one'), clusters: [{ name: 'a', replicas: 4 }] };

    assume(assumed, bound, [{ name: 'a', replicas: 6 }], fleet.positionOf);

    expect(assumed.capacity.column('cpu').milli[0]).toBe(8000);
  });
});

describe('parseQuantity', () => {
  test.each([
    { text: '500m', milli: 500, units: 1, isBinary: false },
    { text: '1.5', milli: 1500, units: 2, isBinary: false },
    { text: '2e3', milli: 2_000_000, units: 2000, isBinary: false },
    { text: '15e-1', milli: 1500, units: 2, isBinary: false },
    { text: '500u', milli: 1, units: 1, isBinary: false },
    { text: '1Gi', milli: 1073741824000, units: 1073741824, isBinary: true },
    { text: '0.2Gi', milli: 214748364800, units: 214748365, isBinary: true },
    { text: '-1500m', milli: -1500, units: -2, isBinary: false },
    { text: 2, milli: 2000, units: 2, isBinary: false },
  ])('$text', ({ text, milli, units, isBinary }) => {
    expect(parseQuantity(text)).toMatchObject({ milli, units, isBinary });
  });

  test.each(['', '.', 'abc', '1Qi', '1 Gi', '1ee3'])('refuses "%s"', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });
});
