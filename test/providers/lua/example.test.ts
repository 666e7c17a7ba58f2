import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cacheClusters } from '../../../examples/05-teach-a-kind/interpreter.js';
import type { Interpreter } from '../../../lib/engine/interpret/index.js';
import type { PlanInput, SourcedObject } from '../../../lib/engine/input.js';
import type { KubeObject } from '../../../lib/engine/object.js';
import { planApplication } from '../../../lib/index.js';
import { interpretersFrom } from '../../../lib/providers/lua/index.js';
import { planRelease } from '../../../lib/providers/pulumi/plan-release.js';
import { wireKey } from '../../../lib/providers/pulumi/release-wire.js';
import { aggregateOutputs } from '../../../lib/providers/pulumi/status.js';
import { readFleet, readSources } from '../../../lib/providers/source/index.js';

const EXAMPLE = resolve(__dirname, '../../../examples/05-teach-a-kind');
const TARGET = { apiVersion: 'cache.example.com/v1', kind: 'CacheCluster' };
const NOW = '2026-01-15T12:00:00Z';

const read = (...paths: string[]): readonly SourcedObject[] =>
  readSources(paths, { cwd: EXAMPLE }).documents;

const customization = read('customization.yaml');
const [lua] = interpretersFrom(customization, NOW).interpreters as [Interpreter];
const written = read('app').find(({ object }) => object.kind === 'CacheCluster')
  ?.object as KubeObject;
const observed = read('observed.yaml')[0]?.object as KubeObject;

describe('the kind means the same in Lua and in TypeScript', () => {
  const items = [
    { clusterName: 'eu-1', status: { readyNodes: 3 } },
    { clusterName: 'us-1' },
    { clusterName: 'us-2', status: {} },
  ];
  const bare: KubeObject = { ...written, spec: {} };
  const healthy: KubeObject = { ...observed, status: { observedGeneration: 3, readyNodes: 4 } };

  test.each<[name: string, ask: (interpreter: Interpreter) => unknown]>([
    ['replicas', (i) => i.interpretReplica?.(written)],
    ['replicas of a bare object', (i) => i.interpretReplica?.(bare)],
    ['replicas revised', (i) => i.reviseReplica?.(written, 2)],
    ['retention', (i) => i.retain?.(written, observed)],
    ['retention of nothing', (i) => i.retain?.(observed, written)],
    ['status', (i) => i.interpretStatus?.(observed)],
    ['no status', (i) => i.interpretStatus?.(written)],
    ['status of all clusters', (i) => i.aggregateStatus?.(written, items)],
    ['status of no cluster', (i) => i.aggregateStatus?.(written, undefined)],
    ['health', (i) => i.interpretHealth?.(observed)],
    ['good health', (i) => i.interpretHealth?.(healthy)],
    ['health of something new', (i) => i.interpretHealth?.(written)],
    ['dependencies', (i) => i.interpretDependency?.(written)],
    ['dependencies of a bare object', (i) => i.interpretDependency?.(bare)],
  ])('%s', (_name, ask) => {
    const answer = ask(cacheClusters);

    expect(answer).toBeDefined();
    expect(ask(lua)).toEqual(answer);
  });
});

test('the plan divides its nodes and sends along what it needs, however it was taught', () => {
  const plans = [
    planApplication(input([...customization, ...read('app')])),
    planApplication(input(read('app')), [cacheClusters]),
  ];

  for (const plan of plans) {
    expect(plan.diagnostics).toEqual([]);
    expect(plan.applicable).toBe(true);
    expect(placesOf(plan)).toEqual({
      CacheCluster: { 'eu-1': 4, 'us-1': 2 },
      ConfigMap: { 'eu-1': undefined, 'us-1': undefined },
      CustomResourceDefinition: { 'eu-1': undefined, 'us-1': undefined },
      Secret: { 'eu-1': undefined, 'us-1': undefined },
    });
  }
  expect(plans[0]?.lock).toEqual(plans[1]?.lock);
});

test.each([
  ['customization', { files: ['app', 'customization.yaml'] }],
  ['interpreter', { files: ['app'], interpreters: [cacheClusters] }],
])('a FleetRelease takes its %s', (_name, args) => {
  const { plan, interpreters } = planRelease(
    'cache',
    { ...args, fleet: 'fleet.yaml', lock: 'write', now: NOW },
    { cwd: EXAMPLE, isCi: false, now: NOW } as never,
  );
  const key = wireKey({ ...TARGET, namespace: 'shop', name: 'sessions' });
  const statuses = aggregateOutputs(
    plan,
    { 'eu-1': JSON.stringify({ [key]: observed }), 'us-1': JSON.stringify({ [key]: observed }) },
    interpreters,
  );

  expect(placesOf(plan)['CacheCluster']).toEqual({ 'eu-1': 4, 'us-1': 2 });
  expect(statuses['CacheCluster shop/sessions']?.karmada).toEqual({ readyNodes: 6 });
});

test('without being taught it is placed whole, and alone', () => {
  const plan = planApplication(input(read('app')));

  expect(placesOf(plan)['CacheCluster']).toEqual({ 'eu-1': undefined, 'us-1': undefined });
  expect(placesOf(plan)['Secret']).toBeUndefined();
});

describe('a rule that fails is a finding of the plan, at the rule', () => {
  test.each([
    [
      'replicaResource',
      'function GetReplicas(obj)\n  return obj.spec.nodes.count\nend',
      'InterpretReplica',
      2,
    ],
    [
      'replicaRevision',
      'function ReviseReplica(obj, n)\n  return n\nend',
      'ReviseReplica',
      undefined,
    ],
    [
      'dependencyInterpretation',
      'function GetDependencies(obj)\n  error("no")\nend',
      'InterpretDependency',
      2,
    ],
  ])('%s', (rule, luaScript, operation, line) => {
    const [taught] = customization as [SourcedObject];
    const spec = taught.object['spec'] as { readonly customizations: object };
    const broken: SourcedObject = {
      object: {
        ...taught.object,
        spec: { ...spec, customizations: { ...spec.customizations, [rule]: { luaScript } } },
      },
      source: { file: 'customization.yaml', line: 2, column: 1 },
    };
    const plan = planApplication(input([broken, ...read('app')]));
    const failures = plan.diagnostics.filter(({ code }) => code === 'INTERPRETER_FAILED');

    expect(plan.applicable).toBe(false);
    expect(failures).toMatchObject([
      {
        severity: 'error',
        resource: { kind: 'ResourceInterpreterCustomization', name: 'cache-cluster' },
        path: ['spec', 'customizations', rule, 'luaScript'],
      },
    ]);
    expect(failures[0]?.summary).toContain(`${operation} of ResourceInterpreterCustomization`);
    expect(failures[0]?.summary).toContain('CacheCluster shop/sessions');
    if (line !== undefined) expect(failures[0]?.summary).toContain(`line ${line} of the script`);
  });

  test('one in TypeScript is about the object', () => {
    const failing: Interpreter = {
      ...cacheClusters,
      interpretReplica: () => cacheClusters.interpretReplica?.({} as KubeObject) as never,
    };
    const plan = planApplication(input(read('app')), [failing]);

    expect(plan.diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'INTERPRETER_FAILED',
        resource: expect.objectContaining({ kind: 'CacheCluster' }),
      }),
    );
  });

  test('a script that does not compile is a finding of the plan too', () => {
    const [taught] = customization as [SourcedObject];
    const broken: SourcedObject = {
      object: {
        ...taught.object,
        spec: {
          target: { apiVersion: 'other.example.com/v1', kind: 'Unused' },
          customizations: { healthInterpretation: { luaScript: 'function (' } },
        },
      },
    };
    const plan = planApplication(input([broken, ...read('app')]), [cacheClusters]);

    expect(plan.applicable).toBe(false);
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(['INTERPRETER_SCRIPT_INVALID']);
  });
});

function input(documents: readonly SourcedObject[]): PlanInput {
  const { fleet } = readFleet('fleet.yaml', { cwd: EXAMPLE });
  if (fleet === undefined) throw new Error(`no fleet in ${join(EXAMPLE, 'fleet.yaml')}`);
  return {
    documents,
    fleet,
    now: NOW,
    options: { application: 'cache', profile: 'default', target: 'members' },
  };
}

function placesOf(
  plan: ReturnType<typeof planApplication>,
): Record<string, Record<string, number | undefined>> {
  return Object.fromEntries(
    plan.bindings
      .filter(({ assignments }) => assignments.length > 0)
      .map(({ resource, assignments }) => [
        resource.kind,
        Object.fromEntries(assignments.map(({ cluster, replicas }) => [cluster, replicas])),
      ]),
  );
}
