import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../lib/engine/canonical.js';
import type { PlanInput } from '../../lib/engine/input.js';
import { plan } from '../../lib/engine/index.js';
import type { KubeObject } from '../../lib/engine/object.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

/** Laws of the whole pipeline, on random fleets, templates and policies. */
const tools = standardTools();
const RUNS = { numRuns: Number(process.env['FLEETWRIGHT_PROPERTY_RUNS'] ?? 150) };

const cluster = fc.record({
  region: fc.constantFrom('eu', 'us', 'ap'),
  tier: fc.constantFrom('prod', 'lab'),
  cpu: fc.integer({ min: 1, max: 40 }),
  tainted: fc.boolean(),
});
const scheduling = fc.constantFrom(
  undefined,
  { replicaSchedulingType: 'Duplicated' },
  { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
  { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
  {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
);
const workload = fc.record({
  replicas: fc.integer({ min: 0, max: 60 }),
  scheduling,
  tier: fc.constantFrom(undefined, 'prod', 'lab'),
  tolerates: fc.boolean(),
  uses: fc.constantFrom<readonly string[]>([], ['env'], ['env', 'other']),
});

const input = fc
  .record({
    clusters: fc.array(cluster, { minLength: 1, maxLength: 8 }),
    workloads: fc.array(workload, { minLength: 1, maxLength: 6 }),
  })
  .map(({ clusters, workloads }): PlanInput => {
    const documents = workloads.flatMap((w, i): KubeObject[] => {
      const name = `app-${i}`;
      return [
        aDeployment(name, w.replicas, {
          volumes: w.uses.map((config) => ({ name: config, configMap: { name: config } })),
        }),
        aPolicy(name, {
          ...(w.tier !== undefined && {
            clusterAffinity: { labelSelector: { matchLabels: { tier: w.tier } } },
          }),
          ...(w.scheduling !== undefined && { replicaScheduling: w.scheduling }),
          ...(w.tolerates && { clusterTolerations: [{ operator: 'Exists' }] }),
        }),
      ];
    });
    const configs = ['env', 'other'].map((name): KubeObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'shop' },
      data: { a: '1' },
    }));
    return anInput(
      [...documents, ...configs],
      clusters.map((c, i) =>
        aCluster(`c-${i}`, {
          region: c.region,
          labels: { tier: c.tier },
          cpu: c.cpu,
          ...(c.tainted && { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
        }),
      ),
    );
  });

function shuffledKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffledKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([k, v]) => [k, shuffledKeys(v)]),
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

describe('the plan', () => {
  test('does not depend on the order of documents, clusters or keys', () => {
    fc.assert(
      fc.property(input, (one) => {
        const other = shuffledKeys({
          ...one,
          documents: [...one.documents].reverse(),
          fleet: { clusters: [...one.fleet.clusters].reverse() },
        }) as PlanInput;

        expect(canonicalJson(plan(other, tools))).toBe(canonicalJson(plan(one, tools)));
      }),
      RUNS,
    );
  });

  test('changes nothing when it is planned again', () => {
    fc.assert(
      fc.property(input, (one) => {
        const first = plan(one, tools);
        const second = plan({ ...one, lock: first.lock, now: '2026-03-03T00:00:00Z' }, tools);

        expect(second.lockChanges).toEqual([]);
        expect(second.lock).toEqual(first.lock);
        expect(second.changes.filter((c) => c.action !== 'none')).toEqual([]);
      }),
      RUNS,
    );
  });

  test('does not write to its input', () => {
    fc.assert(
      fc.property(input, (one) => {
        plan(deepFreeze(one), tools);
      }),
      RUNS,
    );
  });

  test('gives every cluster of the fleet one verdict, and every rejected one a reason', () => {
    fc.assert(
      fc.property(input, (one) => {
        for (const binding of plan(one, tools).bindings) {
          expect(binding.verdicts).toHaveLength(one.fleet.clusters.length);
          for (const verdict of binding.verdicts.filter((v) => !v.chosen))
            expect(verdict.message).not.toBe('');
        }
      }),
      RUNS,
    );
  });

  test('conserves replicas: divided ones add up', () => {
    fc.assert(
      fc.property(input, (one) => {
        for (const binding of plan(one, tools).bindings.filter(
          (b) => b.strategy.startsWith('Divided') && b.decision.kind !== 'failed',
        )) {
          const sum = binding.assignments.reduce((total, a) => total + (a.replicas ?? 0), 0);

          expect(sum).toBe(binding.replicas);
        }
      }),
      RUNS,
    );
  });

  test('puts every release into exactly one wave, and every change into its release', () => {
    fc.assert(
      fc.property(input, (one) => {
        const result = plan(one, tools);
        const inWaves = result.waves.flatMap((w) => w.clusters).sort();

        expect(inWaves).toEqual(result.releases.map((r) => r.cluster).sort());
        for (const change of result.changes)
          expect(result.releases.some((r) => r.cluster === change.cluster)).toBe(true);
      }),
      RUNS,
    );
  });
});
