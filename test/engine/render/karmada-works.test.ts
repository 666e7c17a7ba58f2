import { describe, expect, test } from '@jest/globals';
import type { ResourceBindingSpec } from '../../../lib/api/resource-binding.js';
import { interpreterFor } from '../../../lib/engine/interpret/index.js';
import type { OverridePolicies } from '../../../lib/engine/override/index.js';
import { compileOverrides } from '../../../lib/engine/override/index.js';
import type { Works } from '../../../lib/engine/render/index.js';
import { renderWorks, workName } from '../../../lib/engine/render/index.js';
import type { KubeObject } from '../override/builders.js';
import { anObject, aPolicy, aWorkload, M1, TOOLS } from '../override/builders.js';

function works(
  template: KubeObject,
  spec: Partial<ResourceBindingSpec>,
  policies: OverridePolicies = {},
  injection = false,
): Works {
  return renderWorks({
    binding: {
      metadata: {
        namespace: 'shop',
        name: 'web-deployment',
        labels: { 'resourcebinding.karmada.io/permanent-id': 'id' },
      },
      spec: {
        resource: { apiVersion: template.apiVersion, kind: template.kind, name: 'web' },
        ...spec,
      },
    },
    template,
    clusters: new Map([['m1', M1]]),
    overrides: compileOverrides(policies, TOOLS),
    statefulFailoverInjection: injection,
    interpreter: interpreterFor(template),
    tools: TOOLS,
  });
}

const web = aWorkload('Deployment', {}, { replicas: 5 });
const DIVIDED = { replicaScheduling: { replicaSchedulingType: 'Divided' } } as const;

test.each([
  [{ kind: 'Deployment', namespace: 'default', name: 'nginx' }, 'nginx-687f7fb96f'],
  [{ kind: 'Deployment', namespace: 'shop', name: 'web' }, 'web-56d6c779bb'],
  [{ kind: 'ClusterRole', name: 'reader:x' }, 'reader.x-7d9b4d5855'],
  [{ kind: 'Namespace', name: 'team-a' }, 'team-a-5cc7c7959b'],
])('%j is %s', (manifest, name) => {
  expect(workName(manifest)).toBe(name);
});

test('each target has a Work with its replicas; own targets win over those required', () => {
  const { works: made } = works(web, {
    replicas: 3,
    clusters: [
      { name: 'm2', replicas: 2 },
      { name: 'm1', replicas: 1 },
    ],
    requiredBy: [
      {
        name: 'other',
        clusters: [
          { name: 'm1', replicas: 9 },
          { name: 'm3', replicas: 4 },
        ],
      },
    ],
  });

  expect(
    made.map(({ metadata, spec }) => [
      metadata.namespace,
      (spec.manifest['spec'] as { replicas: number }).replicas,
    ]),
  ).toEqual([
    ['karmada-es-m1', 1],
    ['karmada-es-m2', 2],
    ['karmada-es-m3', 4],
  ]);
});

test('what is no workload keeps its own replicas', () => {
  const { works: made } = works(web, { clusters: [{ name: 'm1' }] });

  expect(made[0]?.spec.manifest).toHaveProperty('spec.replicas', 5);
});

describe('completions of a Job', () => {
  const job = aWorkload('Job', {}, { parallelism: 9, completions: 10 });
  const targets = [
    { name: 'm1', replicas: 3 },
    { name: 'm2', replicas: 1 },
  ];
  const completionsOf = (spec: Partial<ResourceBindingSpec>): unknown =>
    works(job, { replicas: 4, clusters: targets, ...spec }).works.map(
      (work) => work.spec.manifest['spec'],
    );

  test('are divided like its replicas', () => {
    expect(completionsOf({ placement: DIVIDED })).toMatchObject([
      { parallelism: 3, completions: 7 },
      { parallelism: 1, completions: 3 },
    ]);
  });

  test('stay whole when duplicated', () => {
    expect(completionsOf({ placement: {} })).toMatchObject([
      { completions: 10 },
      { completions: 10 },
    ]);
  });

  test('stay whole when there is nothing to weigh by', () => {
    expect(completionsOf({ placement: DIVIDED, clusters: [{ name: 'm1' }] })).toMatchObject([
      { completions: 10 },
    ]);
  });
});

test('a cluster whose override fails has no Work, the others have theirs', () => {
  const overriders = { plaintext: [{ path: '/none', operator: 'remove' }] } as const;
  const policy = aPolicy(
    'p',
    {},
    { overrideRules: [{ overriders, targetCluster: { clusterNames: ['m1'] } }] },
  );
  const { works: made, faults } = works(
    web,
    { clusters: [{ name: 'm1' }, { name: 'm2' }] },
    { overridePolicies: [policy] },
  );

  expect(made.map(({ metadata }) => metadata.namespace)).toEqual(['karmada-es-m2']);
  expect(faults).toMatchObject([{ cluster: 'm1', fault: { path: '/none' } }]);
});

test.each([
  ['abort', 'Overwrite', 'abort'],
  ['force', 'Overwrite', 'overwrite'],
  [undefined, undefined, 'abort'],
] as const)('annotation %s and policy %s: %s', (wish, conflictResolution, result) => {
  const annotations = wish === undefined ? {} : { 'work.karmada.io/conflict-resolution': wish };
  const template = anObject('ConfigMap', {}, { metadata: { annotations } });
  const { works: made } = works(template, {
    clusters: [{ name: 'm1' }],
    ...(conflictResolution && { conflictResolution }),
  });

  expect(made[0]?.metadata.annotations['work.karmada.io/conflict-resolution']).toBe(result);
});

test.each([
  [{ dispatching: true }, [true, true]],
  [{ dispatching: false, dispatchingOnClusters: { clusterNames: ['m2'] } }, [false, true]],
  [{ dispatchingOnClusters: {} }, [false, false]],
])('suspension %j', (suspension, suspended) => {
  const { works: made } = works(web, { clusters: [{ name: 'm1' }, { name: 'm2' }], suspension });

  expect(made.map(({ spec }) => spec.suspendDispatching)).toEqual(suspended);
});

test('what is managed is listed, so that it can be taken away later', () => {
  const template = anObject('ConfigMap', {}, { metadata: { labels: { app: 'web' } } });
  const annotations = works(template, { clusters: [{ name: 'm1' }] }).works[0]?.spec.manifest
    .metadata.annotations;

  expect(annotations?.['resourcetemplate.karmada.io/managed-labels']).toBe(
    'app,karmada.io/managed,resourcebinding.karmada.io/permanent-id',
  );
});

test('labels kept over a failover reach a sole new target only, and only with the gate', () => {
  const gracefulEvictionTasks = [
    {
      fromCluster: 'm9',
      producer: 'p',
      reason: 'r',
      purgeMode: 'Directly',
      clustersBeforeFailover: ['m1'],
      preservedLabelState: { ckpt: 'j-9' },
    },
  ] as const;
  const labelOf = (name: string, injection: boolean): unknown =>
    works(web, { clusters: [{ name }], gracefulEvictionTasks }, {}, injection).works[0]?.spec
      .manifest.metadata.labels?.['ckpt'];

  expect([labelOf('m2', true), labelOf('m1', true), labelOf('m2', false)]).toEqual([
    'j-9',
    undefined,
    undefined,
  ]);
});
