import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Cluster } from '../../../lib/api/cluster.js';
import type { KubeObject } from '../../../lib/api/object.js';
import {
  bareObject,
  commonOf,
  editsBetween,
  proposeAdoption,
} from '../../../lib/engine/adopt/index.js';
import { plan } from '../../../lib/engine/index.js';
import type { PlanInput } from '../../../lib/engine/input.js';
import { applyPatch } from '../../../lib/engine/override/json-patch.js';
import type { Plan } from '../../../lib/engine/plan.js';
import { standardTools } from '../../../lib/providers/tools.js';

const NAMES = ['a', 'b', 'c', 'd'] as const;

function web(facts: {
  replicas?: number;
  image?: string;
  env?: Readonly<Record<string, string>>;
  labels?: Readonly<Record<string, string>>;
}): KubeObject {
  const { replicas = 2, image = 'nginx:1.29', env = {}, labels = {} } = facts;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web', ...labels } },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [
            {
              name: 'web',
              image,
              env: Object.entries(env).map(([name, value]) => ({ name, value })),
            },
          ],
        },
      },
    },
  };
}

function config(data: Readonly<Record<string, string>>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web-env', namespace: 'shop' },
    data,
  };
}

const options = { application: 'shop', setId: 'applyset-x-v1' };
type Live = Readonly<Record<string, readonly KubeObject[]>>;

function fleetOf(names: readonly string[]): readonly Cluster[] {
  const enabled = (groupVersion: string, kind: string): object => ({
    groupVersion,
    resources: [{ kind, name: `${kind.toLowerCase()}s` }],
  });
  return names.map(
    (name): Cluster =>
      ({
        apiVersion: 'cluster.karmada.io/v1alpha1',
        kind: 'Cluster',
        metadata: { name },
        spec: { syncMode: 'Push' },
        status: {
          apiEnablements: [enabled('v1', 'ConfigMap'), enabled('apps/v1', 'Deployment')],
          conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '' }],
        },
      }) as unknown as Cluster,
  );
}

function planOf(live: Live): Plan {
  const { templates, policies, overrides } = proposeAdoption(live, options);
  const input: PlanInput = {
    documents: [...templates, ...policies, ...overrides].map((object) => ({ object })),
    fleet: { clusters: fleetOf([...Object.keys(live), 'other']) },
    now: '2026-01-15T12:00:00Z',
    options: { application: 'shop', profile: 'default', target: 'members' },
  };
  return plan(input, standardTools());
}

/** What the plan gives each cluster, without our marks: comparable with the bare live objects. */
function rendered(live: Live): Record<string, KubeObject[]> {
  const { releases } = planOf(live);
  return Object.fromEntries(
    releases.map(({ cluster, manifests }) => [
      cluster,
      manifests.filter(({ shared }) => !shared).map(({ object }) => bareObject(object)),
    ]),
  );
}

const byKind = (objects: readonly KubeObject[]): KubeObject[] =>
  [...objects].sort((x, y) => (x.kind < y.kind ? -1 : 1));

const anyJson = fc.jsonValue({ maxDepth: 4, noUnicodeString: true });
const anyMap = fc.dictionary(fc.constantFrom('a', 'b', 'c/~d', '0'), anyJson, {
  noNullPrototype: true,
});

describe('edits', () => {
  test('properties: they turn one value into the other, in any order', () => {
    fc.assert(
      fc.property(anyMap, anyMap, (from, to) => {
        const edits = editsBetween(from, to).map(({ operator, path, value }) => ({
          op: operator,
          path,
          value,
        }));
        for (const order of [edits, [...edits].reverse()])
          expect(applyPatch(from, order)).toEqual({ ok: true, value: to });
      }),
    );
  });
});

describe('what several objects have in common', () => {
  const editsFrom = (value: unknown, values: readonly unknown[]): number =>
    values.reduce<number>((sum, other) => sum + editsBetween(value, other).length, 0);

  test('properties: no more edits than from any of them; one value is itself', () => {
    fc.assert(
      fc.property(fc.array(anyMap, { minLength: 1, maxLength: 5 }), (values) => {
        const common = commonOf(values);
        const fewest = Math.min(...values.map((value) => editsFrom(value, values)));
        expect(editsFrom(common, values)).toBeLessThanOrEqual(fewest);
        expect(commonOf([values[0]])).toEqual(values[0]);
      }),
    );
  });

  test('two clusters that each changed one thing: neither change is in it', () => {
    const plain = { x: 1, y: 1 };
    expect(commonOf([{ x: 2, y: 1 }, { x: 1, y: 2 }, plain])).toEqual(plain);
  });
});

const aWeb = fc
  .record({
    replicas: fc.integer({ min: 0, max: 4 }),
    image: fc.constantFrom('nginx:1.29', 'nginx:1.28', 'mirror.cn/nginx:1.29', 'other', 'x y'),
    env: fc.dictionary(fc.constantFrom('A', 'B'), fc.constantFrom('1', '2')),
    labels: fc.dictionary(fc.constantFrom('team', 'app/x'), fc.constantFrom('1', '2')),
  })
  .map((facts) => web(facts));
const aConfig = fc
  .dictionary(fc.constantFrom('k', 'l.yaml', 'm~n'), fc.constantFrom('', '1', 'a: b\n'))
  .map(config);

describe('a proposal', () => {
  test('properties: rendered for each cluster it is exactly what that cluster has', () => {
    const aLive = fc
      .tuple(...NAMES.map(() => fc.option(fc.tuple(aWeb, fc.option(aConfig)))))
      .map((all): Live =>
        Object.fromEntries(
          all.flatMap((one, i) =>
            one === null
              ? []
              : [[NAMES[i] as string, one.filter((o): o is KubeObject => o !== null)]],
          ),
        ),
      )
      .filter((live) => Object.keys(live).length > 0);
    fc.assert(
      fc.property(aLive, (live) => {
        const got = rendered(live);
        expect(Object.keys(got).sort()).toEqual(Object.keys(live).sort());
        for (const [cluster, objects] of Object.entries(live))
          expect(byKind(got[cluster] ?? [])).toEqual(byKind(objects.map(bareObject)));
      }),
      { numRuns: 150 },
    );
  });

  test('different counts become static weights, the tag of one cluster an override', () => {
    const { templates, policies, overrides } = proposeAdoption(
      {
        a: [web({ replicas: 2 })],
        b: [web({ replicas: 3 })],
        c: [web({ replicas: 2, image: 'nginx:1.28' })],
      },
      options,
    );

    expect(templates).toEqual([web({ replicas: 7 })]);
    expect(policies).toEqual([
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: { name: 'shop', namespace: 'shop' },
        spec: {
          conflictResolution: 'Overwrite',
          placement: {
            clusterAffinity: { clusterNames: ['a', 'b', 'c'] },
            replicaScheduling: {
              replicaSchedulingType: 'Divided',
              replicaDivisionPreference: 'Weighted',
              weightPreference: {
                staticWeightList: [
                  { targetCluster: { clusterNames: ['a'] }, weight: 2 },
                  { targetCluster: { clusterNames: ['b'] }, weight: 3 },
                  { targetCluster: { clusterNames: ['c'] }, weight: 2 },
                ],
              },
            },
          },
          resourceSelectors: [
            { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
          ],
        },
      },
    ]);
    expect(overrides.map(({ spec }) => spec)).toMatchObject([
      {
        overrideRules: [
          {
            targetCluster: { clusterNames: ['c'] },
            overriders: {
              imageOverrider: [{ component: 'Tag', operator: 'replace', value: '1.28' }],
            },
          },
        ],
      },
    ]);
  });

  test('clusters with an equal difference share a rule, objects with equal differences a policy', () => {
    const cm = (name: string, mode: string): KubeObject => ({
      ...config({ MODE: mode }),
      metadata: { name, namespace: 'shop' },
    });
    const both = (mode: string): KubeObject[] => [cm('x', mode), cm('y', mode)];

    const { overrides } = proposeAdoption(
      { a: both('1'), b: both('2'), c: both('2'), d: both('1'), e: both('1') },
      options,
    );

    expect(overrides.map(({ spec }) => spec)).toEqual([
      {
        overrideRules: [
          {
            targetCluster: { clusterNames: ['b', 'c'] },
            overriders: { plaintext: [{ operator: 'replace', path: '/data/MODE', value: '2' }] },
          },
        ],
        resourceSelectors: [
          { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'x' },
          { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'y' },
        ],
      },
    ]);
  });
});
