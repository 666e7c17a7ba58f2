import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../../lib/engine/canonical.js';
import { plan } from '../../../lib/engine/index.js';
import type { PlanInput } from '../../../lib/engine/input.js';
import type { Interpreter } from '../../../lib/engine/interpret/index.js';
import { defineInterpreter } from '../../../lib/engine/interpret/index.js';
import type { KubeObject } from '../../../lib/engine/object.js';
import type { Plan } from '../../../lib/engine/plan.js';
import { interpretersFrom } from '../../../lib/providers/lua/index.js';
import { standardTools } from '../../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../../builders.js';

const WIDGET = { apiVersion: 'apps.example.com/v1', kind: 'Widget' } as const;
const DIVIDED = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' };

interface Situation {
  readonly input: PlanInput;
  readonly interpreters?: readonly Interpreter[];
}

function planned({ input, interpreters = [] }: Situation, lock?: Plan['lock']): Plan {
  return plan({ ...input, ...(lock !== undefined && { lock }) }, standardTools(interpreters));
}

/** What a cluster's files would hold, without the counter of the template, which grows by itself. */
function bytesOn(result: Plan): ReadonlyMap<string, string> {
  const entries = result.releases.flatMap(({ cluster, manifests }) =>
    manifests.map(
      ({ resource, object, revision }) =>
        [
          `${cluster} ${resource.kind} ${resource.name}`,
          revision + canonicalJson(bare(object)),
        ] as const,
    ),
  );
  return new Map(entries);
}

function bare(object: KubeObject): unknown {
  return { ...object, metadata: { ...object.metadata, annotations: {} } };
}

/** Actions of the second plan, made from the lock of the first, by object. */
function changesAfter(
  before: Situation,
  after: Situation,
): { readonly first: Plan; readonly second: Plan; readonly changes: ReadonlyMap<string, string> } {
  const first = planned(before);
  const second = planned(after, first.lock);
  const changes = second.changes.map(
    ({ cluster, resource, action, class: kind }) =>
      [`${cluster} ${resource.kind} ${resource.name}`, `${action} ${kind}`] as const,
  );
  return { first, second, changes: new Map(changes) };
}

function aJob(completions: number, parallelism: number): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'sum', namespace: 'shop' },
    spec: {
      completions,
      parallelism,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } },
    },
  };
}

function aWidget(size: number): KubeObject {
  return { ...WIDGET, metadata: { name: 'w', namespace: 'shop' }, spec: { size } };
}

const forKind = (apiVersion: string, kind: string, placement: object): KubeObject =>
  aPolicy('all', placement, { resourceSelectors: [{ apiVersion, kind }] });

const jobs = (weights: readonly number[]): Situation => ({
  input: anInput(
    [
      aJob(8, 5),
      forKind('batch/v1', 'Job', {
        replicaScheduling: {
          ...DIVIDED,
          weightPreference: {
            staticWeightList: weights.map((weight, i) => ({
              targetCluster: { clusterNames: [`c-${i}`] },
              weight,
            })),
          },
        },
      }),
    ],
    weights.map((_, i) => aCluster(`c-${i}`)),
  ),
});

const revised = (reviseReplica: (object: KubeObject, n: number) => KubeObject): Interpreter =>
  defineInterpreter({ kinds: [WIDGET], interpretReplica: () => 6, reviseReplica });

const withSize = (object: KubeObject, size: number): KubeObject => ({ ...object, spec: { size } });

function widgets(...interpreters: readonly Interpreter[]): Situation {
  const enabled = (name: string): ReturnType<typeof aCluster> => {
    const cluster = aCluster(name);
    const apiEnablements = [
      ...(cluster.status?.apiEnablements ?? []),
      { groupVersion: WIDGET.apiVersion, resources: [{ kind: 'Widget', name: 'widgets' }] },
    ];
    return { ...cluster, status: { ...cluster.status, apiEnablements } };
  };
  return {
    input: anInput(
      [aWidget(6), forKind(WIDGET.apiVersion, 'Widget', { replicaScheduling: DIVIDED })],
      [enabled('c-0'), enabled('c-1')],
    ),
    interpreters,
  };
}

function inLua(script: string): Interpreter {
  const object: KubeObject = {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name: 'widgets' },
    spec: {
      target: WIDGET,
      customizations: {
        replicaResource: { luaScript: 'function GetReplicas() return 6 end' },
        replicaRevision: { luaScript: script },
      },
    },
  };
  return interpretersFrom([{ object }]).interpreters[0] as Interpreter;
}

describe('a share of completions', () => {
  test('that changes because another cluster got less is a change where it changed', () => {
    // Of 5 pods c-0 has 3 before and after; of 8 completions it has 4 beside two others, 5 beside one.
    const { first, second, changes } = changesAfter(jobs([3, 1, 1]), jobs([3, 2]));
    const pods = ({ bindings }: Plan): unknown =>
      bindings[0]?.assignments.find(({ cluster }) => cluster === 'c-0')?.replicas;

    expect([pods(first), pods(second)]).toEqual([3, 3]);
    expect(bytesOn(first).get('c-0 Job sum')).not.toBe(bytesOn(second).get('c-0 Job sum'));
    expect(changes.get('c-0 Job sum')).toBe('update replicas');
  });

  test('that stays is none', () => {
    const { second, changes } = changesAfter(jobs([3, 1, 1]), jobs([3, 1, 1]));

    expect([...changes.values()].every((action) => action === 'none unchanged')).toBe(true);
    expect(second.lockChanges).toEqual([]);
  });
});

describe('what the ReviseReplica of a user makes of a template', () => {
  const lua = (factor: string): Interpreter =>
    inLua(`function ReviseReplica(o, n) o.spec.size = ${factor} return o end`);

  test.each<[name: string, before: Situation, after: Situation]>([
    ['another script', widgets(lua('n')), widgets(lua('n + 1'))],
    [
      'another function',
      widgets(revised(withSize)),
      widgets(revised((o, n) => withSize(o, n + 1))),
    ],
    [
      'a rule that is new',
      widgets(defineInterpreter({ kinds: [WIDGET], interpretReplica: () => 6 })),
      widgets(lua('n')),
    ],
    [
      'a rule that is gone',
      widgets(lua('n')),
      widgets(defineInterpreter({ kinds: [WIDGET], interpretReplica: () => 6 })),
    ],
    ['no count any more', widgets(lua('n')), widgets()],
  ])('%s is a change, and the lock knows', (_name, before, after) => {
    const { first, second, changes } = changesAfter(before, after);

    expect(bytesOn(first).get('c-0 Widget w')).not.toBe(bytesOn(second).get('c-0 Widget w'));
    expect(changes.get('c-0 Widget w')).toMatch(/^update (interpreter|replicas)$/);
    expect(second.lockChanges).not.toEqual([]);
  });

  test.each<[name: string, before: Situation, after: Situation]>([
    ['another comment', widgets(lua('n')), widgets(lua('n -- of them\n'))],
    ['the same rule in another language', widgets(lua('n')), widgets(revised(withSize))],
  ])('%s is none', (_name, before, after) => {
    const { second, changes } = changesAfter(before, after);

    expect(changes.get('c-0 Widget w')).toBe('none unchanged');
    expect(second.lockChanges).toEqual([]);
  });

  test('the lock says interpreter, not overrides', () => {
    const { second } = changesAfter(widgets(lua('n')), widgets(lua('n + 1')));

    expect(second.lockChanges).toEqual(['Widget shop/w: interpreter']);
  });
});

test('kinds without a rule of a user have the keys that earlier versions wrote', () => {
  const [{ render = {} } = {}] = planned({
    input: anInput([aDeployment('web'), aPolicy('web', {})], [aCluster('c-0')]),
  }).lock.bindings;

  expect(Object.values(render)).toEqual([expect.stringMatching(/^[\da-f]{8}$/)]);
});

/** Everything that can be changed between two plans of one binding, one at a time. */
interface Knobs {
  readonly kind: 'Deployment' | 'Job' | 'Widget';
  readonly replicas: number;
  readonly completions: number;
  readonly image: string;
  readonly weights: readonly number[];
  readonly scheduling: 'Divided' | 'Duplicated' | 'none';
  readonly label: string | undefined;
  readonly labelOn: string;
  readonly regions: readonly string[];
  readonly rule: number;
}

const RULES = [
  undefined,
  revised(withSize),
  revised((o, n) => withSize(o, 2 * n)),
  revised((o, n) => (n > 3 ? withSize(o, 3) : withSize(o, n))),
  defineInterpreter({ kinds: [WIDGET], interpretReplica: () => 6 }),
];

const knobs: fc.Arbitrary<Knobs> = fc.record({
  kind: fc.constantFrom('Deployment' as const, 'Job' as const, 'Widget' as const),
  replicas: fc.integer({ min: 1, max: 8 }),
  completions: fc.integer({ min: 1, max: 20 }),
  image: fc.constantFrom('a:1', 'a:2'),
  weights: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
  scheduling: fc.constantFrom('Divided' as const, 'Duplicated' as const, 'none' as const),
  label: fc.constantFrom(undefined, 'x', 'y'),
  labelOn: fc.constantFrom('eu', 'us', 'any'),
  regions: fc.array(fc.constantFrom('eu', 'us'), { minLength: 4, maxLength: 4 }),
  rule: fc.nat({ max: RULES.length - 1 }),
});

function situationOf(k: Knobs): Situation {
  const deployment = aDeployment('d', k.replicas, { containers: [{ name: 'a', image: k.image }] });
  const template = {
    Deployment: deployment,
    Job: aJob(k.completions, k.replicas),
    Widget: aWidget(k.replicas),
  }[k.kind];
  const replicaScheduling = {
    ...DIVIDED,
    replicaSchedulingType: k.scheduling,
    weightPreference: {
      staticWeightList: k.weights.map((weight, i) => ({
        targetCluster: { clusterNames: [`c-${i}`] },
        weight,
      })),
    },
  };
  const placement = {
    clusterAffinity: { clusterNames: k.weights.map((_, i) => `c-${i}`) },
    ...(k.scheduling === 'Divided' && { replicaScheduling }),
    ...(k.scheduling === 'Duplicated' && {
      replicaScheduling: { replicaSchedulingType: 'Duplicated' },
    }),
  };
  const override: KubeObject = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'OverridePolicy',
    metadata: { name: 'o', namespace: 'shop' },
    spec: {
      overrideRules: [
        {
          ...(k.labelOn !== 'any' && {
            targetCluster: { labelSelector: { matchLabels: { region: k.labelOn } } },
          }),
          overriders: { labelsOverrider: [{ operator: 'add', value: { l: k.label } }] },
        },
      ],
    },
  };
  const clusters = k.regions.map((region, i) => {
    const cluster = aCluster(`c-${i}`, { region, labels: { region } });
    const apiEnablements = [
      ...(cluster.status?.apiEnablements ?? []),
      { groupVersion: WIDGET.apiVersion, resources: [{ kind: 'Widget', name: 'widgets' }] },
    ];
    return { ...cluster, status: { ...cluster.status, apiEnablements } };
  });
  const { apiVersion, kind } = template;
  const rule = RULES[k.rule];
  return {
    input: anInput(
      [
        template,
        forKind(apiVersion, kind, placement),
        ...(k.label === undefined ? [] : [override]),
      ],
      clusters,
    ),
    interpreters: rule === undefined ? [] : [rule],
  };
}

test('property: other bytes are a change in a plan from the lock, and the lock differs', () => {
  const mutated = fc
    .tuple(
      knobs,
      knobs,
      fc.constantFrom<keyof Knobs>(
        'replicas',
        'completions',
        'image',
        'weights',
        'scheduling',
        'label',
        'labelOn',
        'regions',
        'rule',
      ),
    )
    .map(([before, other, knob]) => ({ before, after: { ...before, [knob]: other[knob] }, knob }));
  const seen = { changed: 0, same: 0 };
  fc.assert(
    fc.property(mutated, ({ before, after }) => {
      const { first, second, changes } = changesAfter(situationOf(before), situationOf(after));
      const [was, is] = [bytesOn(first), bytesOn(second)];
      for (const [key, bytes] of is) {
        if (key.includes(' Namespace ')) continue;
        const isSame = was.get(key) === bytes;
        seen[isSame ? 'same' : 'changed'] += 1;
        const action = changes.get(key) ?? '';
        if (!isSame) {
          expect(action).toMatch(/^(create|update) /);
          expect(second.lockChanges).not.toEqual([]);
        } else
          expect([
            'none unchanged',
            'update override',
            'update replicas',
            'update template',
          ]).toContain(action);
      }
    }),
    { numRuns: Number(process.env['FLEETWRIGHT_PROPERTY_RUNS'] ?? 300) },
  );

  expect(Math.min(seen.changed, seen.same)).toBeGreaterThan(20);
});
