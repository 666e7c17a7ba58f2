import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Cluster } from '../../lib/api/cluster.js';
import type { PlanInput } from '../../lib/engine/input.js';
import { plan } from '../../lib/engine/index.js';
import type { KubeObject } from '../../lib/engine/object.js';
import type { Plan } from '../../lib/engine/plan.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

/** Laws of an application's life: edits of templates, policies and fleet, each planned from the lock before. */
const tools = standardTools();
const RUNS = { numRuns: Number(process.env['FLEETWRIGHT_PROPERTY_RUNS'] ?? 150) };

/** What an author can turn, two edits or more at once. */
interface World {
  readonly tier: readonly string[];
  readonly replicas: readonly number[];
  readonly config: { readonly tier: string; readonly value: string };
  readonly policies: readonly PolicyTraits[];
  readonly clusters: readonly { readonly zone: string; readonly cpu: number }[];
}

interface PolicyTraits {
  readonly isThere: boolean;
  readonly selects: 'Deployment' | 'ConfigMap' | 'tier=a' | 'tier=b';
  readonly zone: 'any' | 'x' | 'y';
  readonly division: 'Duplicated' | 'Aggregated' | 'Weighted';
  readonly priority: number;
  readonly preempts: boolean;
  readonly isLazy: boolean;
}

const policy = fc.record<PolicyTraits>({
  isThere: fc.boolean(),
  selects: fc.constantFrom('Deployment', 'ConfigMap', 'tier=a', 'tier=b'),
  zone: fc.constantFrom('any', 'x', 'y'),
  division: fc.constantFrom('Duplicated', 'Aggregated', 'Weighted'),
  priority: fc.nat(2),
  preempts: fc.boolean(),
  isLazy: fc.boolean(),
});
const tier = fc.constantFrom('a', 'b');
const world = fc.record<World>({
  tier: fc.tuple(tier, tier),
  replicas: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })),
  config: fc.record({ tier, value: fc.constantFrom('1', '2') }),
  policies: fc.tuple(policy, policy, policy),
  clusters: fc.array(
    fc.record({ zone: fc.constantFrom('x', 'y'), cpu: fc.integer({ min: 2, max: 20 }) }),
    { minLength: 3, maxLength: 3 },
  ),
});
/** A world, and which parts of the next one replace its own. */
const edits = fc.array(fc.tuple(world, fc.array(fc.nat(6), { minLength: 1, maxLength: 3 })), {
  minLength: 1,
  maxLength: 4,
});

function edited(before: World, [next, parts]: readonly [World, readonly number[]]): World {
  const pick = <T>(from: readonly T[], to: readonly T[], first: number): readonly T[] =>
    from.map((value, i) => (parts.includes(first + i) ? (to[i] ?? value) : value));
  return {
    tier: pick(before.tier, next.tier, 0),
    replicas: pick(before.replicas, next.replicas, 1),
    config: parts.includes(2) ? next.config : before.config,
    policies: pick(before.policies, next.policies, 3),
    clusters: parts.includes(6) ? next.clusters : before.clusters,
  };
}

function labelled(object: KubeObject, value: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: { tier: value } } };
}

function policyOf(traits: PolicyTraits, i: number): KubeObject {
  const { selects, zone, division, priority, preempts, isLazy } = traits;
  const all = [
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    { apiVersion: 'v1', kind: 'ConfigMap' },
  ];
  const base = aPolicy(`p-${i}`, {
    ...(zone !== 'any' && { clusterAffinity: { labelSelector: { matchLabels: { zone } } } }),
    replicaScheduling:
      division === 'Duplicated'
        ? { replicaSchedulingType: 'Duplicated' }
        : { replicaSchedulingType: 'Divided', replicaDivisionPreference: division },
  });
  const resourceSelectors = selects.startsWith('tier=')
    ? all.map((s) => ({ ...s, labelSelector: { matchLabels: { tier: selects.slice(5) } } }))
    : all.filter(({ kind }) => kind === selects);
  return {
    ...base,
    spec: {
      ...(base['spec'] as object),
      resourceSelectors,
      propagateDeps: true,
      priority,
      ...(preempts && { preemption: 'Always' }),
      ...(isLazy && { activationPreference: 'Lazy' }),
    },
  };
}

function inputOf({ tier: tiers, replicas, config, policies, clusters }: World): PlanInput {
  const uses = { volumes: [{ name: 'env', configMap: { name: 'env' } }] };
  const fleet = clusters.map(({ zone, cpu }, i): Cluster =>
    aCluster(`c-${i}`, { labels: { zone }, cpu }),
  );
  return anInput(
    [
      ...tiers.map((value, i) => labelled(aDeployment(`app-${i}`, replicas[i] ?? 1, uses), value)),
      labelled(
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'env', namespace: 'shop' },
          data: { value: config.value },
        },
        config.tier,
      ),
      ...policies.flatMap((traits, i) => (traits.isThere ? [policyOf(traits, i)] : [])),
    ],
    fleet,
  );
}

/** As `up` would: what is refused does not reach the lock. */
function live(first: World, steps: Parameters<typeof edited>[1][], see: (step: Step) => void) {
  let now = first;
  let before: Plan | undefined;
  for (const step of [undefined, ...steps]) {
    if (step !== undefined) now = edited(now, step);
    const input = { ...inputOf(now), ...(before && { lock: before.lock }) };
    const acknowledge = ['PLAN_REMOVES_EVERYTHING', 'POLICY_REMOVED'];
    const planned = plan({ ...input, options: { ...input.options, acknowledge } }, tools);
    see({ input, planned, before });
    if (planned.applicable) before = planned;
  }
}

interface Step {
  /** Nothing acknowledged. */
  readonly input: PlanInput;
  readonly planned: Plan;
  readonly before: Plan | undefined;
}

describe('an application through its edits', () => {
  test('is never changed by planning the planned again', () => {
    fc.assert(
      fc.property(world, edits, (first, steps) => {
        live(first, steps, ({ input, planned }) => {
          if (!planned.applicable) return;
          const again = plan({ ...input, lock: planned.lock }, tools);

          expect(again.lockChanges).toEqual([]);
          expect(again.changes.filter(({ action }) => action !== 'none')).toEqual([]);
        });
      }),
      RUNS,
    );
  });

  test('loses no cluster for want of a policy unless somebody agrees', () => {
    fc.assert(
      fc.property(world, edits, (first, steps) => {
        live(first, steps, ({ input, before }) => {
          const planned = plan(input, tools);
          const unowned = new Set(
            (before?.bindings ?? [])
              .filter(({ policy }) => policy !== null)
              .map(({ resource }) => `${resource.kind}/${resource.name}`),
          );
          for (const { policy: owner, resource } of planned.bindings)
            if (owner !== null) unowned.delete(`${resource.kind}/${resource.name}`);
          const losing = planned.changes.filter(
            ({ action, resource }) =>
              action === 'delete' && unowned.has(`${resource.kind}/${resource.name}`),
          );

          expect(planned.applicable && losing.length > 0).toBe(false);
        });
      }),
      RUNS,
    );
  });
});
