import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../lib/engine/object.js';
import { isAutoscaler } from '../../lib/engine/autoscaler-bounds.js';
import {
  describeExplanation,
  describeOverrideTrace,
  describePlan,
} from '../../lib/engine/describe/index.js';
import { plan } from '../../lib/engine/index.js';
import type { PlanOptions } from '../../lib/engine/input.js';
import { traceBinding } from '../../lib/engine/render/index.js';
import { divideBounds } from '../../lib/engine/split-autoscalers.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

const RUNS = { numRuns: Number(process.env['FLEETWRIGHT_PROPERTY_RUNS'] ?? 500) };
const HINT = 'fleetwright.dev/autoscaler';

describe('bounds of an autoscaler', () => {
  const shares = fc
    .array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 8 })
    .map((counts) => counts.map((replicas, i) => [`c-${i}`, replicas] as const));
  const bounds = fc
    .record({ minReplicas: fc.integer({ min: 0, max: 60 }), more: fc.integer({ min: 0, max: 99 }) })
    .map(({ minReplicas, more }) => ({
      minReplicas,
      maxReplicas: Math.max(1, minReplicas + more),
    }));
  const ways = fc.constantFrom('split' as const, 'split-min' as const);

  test('sum to what was written or more by less than one a cluster, and fit together', () => {
    fc.assert(
      fc.property(bounds, shares, ways, fc.string(), (written, clusters, way, seed) => {
        const all = [...divideBounds(written, clusters, way, seed).values()];
        const sum = (field: 'minReplicas' | 'maxReplicas'): number =>
          all.reduce((total, one) => total + one[field], 0);

        expect(all).toHaveLength(clusters.length);
        expect(sum('minReplicas')).toBeGreaterThanOrEqual(written.minReplicas);
        expect(sum('minReplicas')).toBeLessThan(written.minReplicas + clusters.length + 1);
        expect(sum('maxReplicas')).toBeGreaterThanOrEqual(written.maxReplicas);
        for (const { minReplicas, maxReplicas } of all) {
          expect(minReplicas === 0).toBe(written.minReplicas === 0);
          expect(maxReplicas).toBeGreaterThanOrEqual(Math.max(1, minReplicas));
          if (way === 'split-min')
            expect(maxReplicas).toBe(Math.max(written.maxReplicas, minReplicas));
        }
      }),
      RUNS,
    );
  });

  test('do not depend on the order of clusters', () => {
    fc.assert(
      fc.property(bounds, shares, ways, (written, clusters, way) => {
        const forwards = divideBounds(written, clusters, way, 'seed');
        const backwards = divideBounds(written, [...clusters].reverse(), way, 'seed');

        expect(Object.fromEntries(backwards)).toEqual(Object.fromEntries(forwards));
      }),
      RUNS,
    );
  });
});

describe('the autoscaler of a workload on two clusters', () => {
  const CLUSTERS = [aCluster('a', {}), aCluster('b', {})];

  function planned(
    scheduling: object,
    annotation?: string,
    options: Partial<PlanOptions> = {},
    spec: Record<string, unknown> = { minReplicas: 4, maxReplicas: 10 },
    apiVersion = 'autoscaling/v2',
  ) {
    const policy = aPolicy('web', { replicaScheduling: scheduling });
    const selectors = [
      { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      { apiVersion, kind: 'HorizontalPodAutoscaler', name: 'web' },
    ];
    const autoscaler: KubeObject = {
      apiVersion,
      kind: 'HorizontalPodAutoscaler',
      metadata: {
        name: 'web',
        namespace: 'shop',
        ...(annotation !== undefined && { annotations: { [HINT]: annotation } }),
      },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        ...spec,
      },
    };
    const input = anInput(
      [
        aDeployment('web', 6),
        autoscaler,
        { ...policy, spec: { ...(policy['spec'] as object), resourceSelectors: selectors } },
      ],
      CLUSTERS.map((c) => withAutoscaling(c)),
    );
    const all = { ...input, options: { ...input.options, ...options } };
    return { input: all, result: plan(all, standardTools()) };
  }

  function withAutoscaling(cluster: ReturnType<typeof aCluster>): ReturnType<typeof aCluster> {
    const apis = cluster.status?.apiEnablements ?? [];
    const resources = [{ name: 'horizontalpodautoscalers', kind: 'HorizontalPodAutoscaler' }];
    return {
      ...cluster,
      status: {
        ...cluster.status,
        apiEnablements: [
          ...apis,
          { groupVersion: 'autoscaling/v1', resources },
          { groupVersion: 'autoscaling/v2', resources },
        ],
      },
    };
  }

  function boundsIn(result: ReturnType<typeof plan>): unknown[] {
    return result.releases.map(({ manifests }) => {
      const found = manifests.find(({ object }) => object.kind === 'HorizontalPodAutoscaler');
      const { minReplicas, maxReplicas } = (found?.object['spec'] ?? {}) as Record<string, unknown>;
      return [minReplicas, maxReplicas];
    });
  }

  const DIVIDED = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' };

  test('is copied with a warning unless somebody says what is meant', () => {
    const { result } = planned(DIVIDED);

    expect(boundsIn(result)).toEqual([
      [4, 10],
      [4, 10],
    ]);
    expect(result.diagnostics.map(({ code }) => code)).toContain('AUTOSCALER_DUPLICATED');
  });

  test.each([
    { name: 'split', annotation: 'split', expected: [[2, 5], [2, 5]] }, // prettier-ignore
    { name: 'split-min', annotation: 'split-min', expected: [[2, 10], [2, 10]] }, // prettier-ignore
    { name: 'keep', annotation: 'keep', expected: [[4, 10], [4, 10]] }, // prettier-ignore
  ])('does what $name says, without a warning', ({ annotation, expected }) => {
    const { result } = planned(DIVIDED, annotation);

    expect(boundsIn(result)).toEqual(expected);
    expect(result.diagnostics).toEqual([]);
  });

  test('is explained with the share of each cluster, in the plan, by itself and with its overrides', () => {
    const { input, result } = planned(DIVIDED, 'split');
    const binding = result.bindings.find(({ resource }) => isAutoscaler(resource));
    if (binding === undefined) throw new Error('no autoscaler in the plan');

    expect(describePlan(result)).toContain('bounds divided: a 2–5, b 2–5\n');
    expect(describeExplanation(result, binding)).toMatch(
      /^ {2}a {2}chosen.* · minReplicas 2, maxReplicas 5\n {2}b {2}chosen.* · minReplicas 2, maxReplicas 5$/m,
    );
    expect(describeOverrideTrace(traceBinding(input, binding, standardTools()))).toBe(
      [
        'Overrides',
        '  a, b',
        '    bounds divided, by fleetwright.dev/autoscaler',
        '      /spec/minReplicas  4 → 2',
        '      /spec/maxReplicas  10 → 5',
        '',
      ].join('\n'),
    );
  });

  test('as in the template has no shares', () => {
    const { result } = planned(DIVIDED, 'keep');

    expect(describePlan(result)).not.toContain('bounds divided');
    expect(JSON.stringify(result.bindings)).not.toContain('"bounds"');
  });

  test('of a duplicated workload is the same everywhere', () => {
    const { result } = planned({ replicaSchedulingType: 'Duplicated' }, 'split');

    expect(boundsIn(result)).toEqual([
      [4, 10],
      [4, 10],
    ]);
    expect(result.diagnostics).toEqual([]);
  });

  test('with a word that nobody knows is an error', () => {
    const { result } = planned(DIVIDED, 'splitt');

    // And not AUTOSCALER_DUPLICATED: somebody has asked for something, which is not known yet.
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['HINT_INVALID']);
  });

  const REFUSED = [
    { name: 'text', spec: { minReplicas: '4', maxReplicas: 10 }, field: 'minReplicas' },
    { name: 'a maximum as text', spec: { maxReplicas: '10' }, field: 'maxReplicas' },
    { name: 'a fraction', spec: { minReplicas: 1.5, maxReplicas: 10 }, field: 'minReplicas' },
    { name: 'a negative minimum', spec: { minReplicas: -2, maxReplicas: 9 }, field: 'minReplicas' },
    { name: 'a negative maximum', spec: { maxReplicas: -1 }, field: 'maxReplicas' },
    { name: 'a maximum below', spec: { minReplicas: 8, maxReplicas: 3 }, field: 'maxReplicas' },
    { name: 'more than 32 bits', spec: { maxReplicas: 2 ** 31 }, field: 'maxReplicas' },
    { name: 'a list', spec: { minReplicas: [4], maxReplicas: 9 }, field: 'minReplicas' },
    { name: 'more than is divided', spec: { maxReplicas: 1_000_001 }, field: 'maxReplicas' },
    {
      name: 'no minimum with a metric of pods',
      spec: { minReplicas: 0, maxReplicas: 3, metrics: [{ type: 'Resource' }] },
      field: 'minReplicas',
    },
  ];

  test.each(REFUSED)('is not split where an API server refuses it: $name', ({ spec, field }) => {
    const { result } = planned(DIVIDED, 'split', {}, spec);

    expect(result.diagnostics).toMatchObject([
      { severity: 'error', code: 'FIELD_INVALID', path: ['spec', field] },
    ]);
    expect(result.applicable).toBe(false);
    for (const bounds of boundsIn(result)) {
      expect(bounds).toEqual([(spec as Record<string, unknown>)['minReplicas'], spec.maxReplicas]);
    }
  });

  test('without a maximum is an error at the field, split or not', () => {
    const missing = [{ severity: 'error', code: 'FIELD_REQUIRED', path: ['spec', 'maxReplicas'] }];

    for (const annotation of ['split', 'split-min', 'keep', undefined]) {
      const { result } = planned(DIVIDED, annotation, {}, { minReplicas: 4 });

      expect(result.diagnostics).toMatchObject(missing);
    }
  });

  test('with nothing at both ends is two errors', () => {
    const { result } = planned(DIVIDED, 'split', {}, { minReplicas: 0, maxReplicas: 0 });

    expect(result.diagnostics.map(({ path }) => path)).toEqual([
      ['spec', 'maxReplicas'],
      ['spec', 'minReplicas'],
    ]);
  });

  test('is refused in the profile of Karmada as well: its API server takes none of it', () => {
    const options = { target: 'karmada', profile: 'karmada' } as const;
    const { result } = planned(DIVIDED, undefined, options, { minReplicas: 3, maxReplicas: 2 });

    expect(result.diagnostics.map(({ code }) => code)).toContain('FIELD_INVALID');
  });

  test('that starts from nothing with a metric that needs no pods is split', () => {
    const metrics = [{ type: 'External' }];
    const { result } = planned(DIVIDED, 'split', {}, { minReplicas: 0, maxReplicas: 6, metrics });

    expect(result.diagnostics).toEqual([]);
    expect(boundsIn(result)).toEqual([
      [0, 3],
      [0, 3],
    ]);
  });

  test('of version 1 may keep its metrics in an annotation', () => {
    const { input } = planned(
      DIVIDED,
      'keep',
      {},
      { minReplicas: 0, maxReplicas: 6 },
      'autoscaling/v1',
    );
    const documents = input.documents.map(({ object }) =>
      object.kind === 'HorizontalPodAutoscaler'
        ? {
            object: {
              ...object,
              metadata: {
                ...object.metadata,
                annotations: { [HINT]: 'keep', 'autoscaling.alpha.kubernetes.io/metrics': '[]' },
              },
            },
          }
        : { object },
    );

    expect(plan(input, standardTools()).diagnostics).toMatchObject([{ code: 'FIELD_INVALID' }]);
    expect(plan({ ...input, documents }, standardTools()).diagnostics).toEqual([]);
  });

  test('with target karmada is copied, and the plan says that the annotation does nothing there', () => {
    const { result } = planned(DIVIDED, 'split', { target: 'karmada', profile: 'karmada' });

    expect(result.diagnostics.find(({ code }) => code === 'AUTOSCALER_DUPLICATED')?.hint).toContain(
      'FederatedHPA',
    );
  });

  test('changes on a cluster whose share changes, and only then', () => {
    const before = planned(DIVIDED, 'split');
    const { lock } = before.result;
    const again = plan({ ...before.input, lock }, standardTools());
    const other = planned(DIVIDED, 'split');
    const documents = other.input.documents.map((d) =>
      d.object.kind === 'PropagationPolicy' ? weighted(d.object) : d,
    );
    const moved = plan({ ...other.input, documents, lock }, standardTools());
    const ofAutoscaler = moved.changes.filter((c) => c.resource.kind === 'HorizontalPodAutoscaler');

    expect(again.changes.filter(({ action }) => action !== 'none')).toEqual([]);
    expect(ofAutoscaler.map(({ action }) => action)).toEqual(['update', 'update']);
  });

  function weighted(policy: KubeObject): { object: KubeObject } {
    const spec = policy['spec'] as { placement: object };
    const weights = [
      { targetCluster: { clusterNames: ['a'] }, weight: 5 },
      { targetCluster: { clusterNames: ['b'] }, weight: 1 },
    ];
    const replicaScheduling = { ...DIVIDED, weightPreference: { staticWeightList: weights } };
    return {
      object: {
        ...policy,
        spec: { ...spec, placement: { ...spec.placement, replicaScheduling } },
      },
    };
  }
});
