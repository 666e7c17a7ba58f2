import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, Chart, Duration, Include, Lazy, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { describe, expect, test } from '@jest/globals';
import { validateDocument } from '../../lib/api/index.js';
import * as constructs from '../../lib/constructs/index.js';
import type { KubeObject } from '../../lib/engine/object.js';
import { shopApp } from '../../examples/02-constructs/main.js';
import { teamsApp } from '../../examples/03-construct-library/main.js';

const {
  FederatedDeployment,
  FederatedJob,
  FederatedStatefulSet,
  FederatedWorkload,
  FleetApp,
  Rollout,
} = constructs;
const containers = [{ name: 'main', image: 'nginx:1' }];
const placement = { clusterAffinity: { clusterNames: ['eu-1'] } };

function chart(): Chart {
  return new Chart(new FleetApp(), 'shop', { namespace: 'shop' });
}

describe('federated workloads', () => {
  test('a FederatedDeployment is a Deployment, a policy that selects it by name, and its overrides', () => {
    const shop = chart();

    new FederatedDeployment(shop, 'web', {
      replicas: 3,
      containers,
      placement,
      overrides: [{ overriders: { labelsOverrider: [{ operator: 'add', value: { a: 'b' } }] } }],
    });

    const [deployment, policy, overrides] = Testing.synth(shop) as KubeObject[];
    expect(deployment).toMatchObject({
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { replicas: 3, selector: { matchLabels: { 'app.kubernetes.io/name': 'web' } } },
    });
    const selector = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' };
    expect(policy).toMatchObject({
      kind: 'PropagationPolicy',
      spec: { propagateDeps: true, placement, resourceSelectors: [selector] },
    });
    expect(overrides).toMatchObject({
      kind: 'OverridePolicy',
      spec: { resourceSelectors: [selector] },
    });
  });

  test('container overrides are an annotation of the override policy, with or without rules', () => {
    const shop = chart();

    new FederatedDeployment(shop, 'web', {
      containers,
      placement,
      containerOverrides: [{ containerName: 'web', env: { LEVEL: 'debug' } }],
    });

    const overrides = (Testing.synth(shop) as KubeObject[]).at(-1);
    expect(overrides).toMatchObject({
      kind: 'OverridePolicy',
      metadata: {
        annotations: {
          'fleetwright.dev/container-overrides':
            '[{"containerName":"web","env":{"LEVEL":"debug"}}]',
        },
      },
      spec: { overrideRules: [] },
    });
  });

  test('StatefulSet and Job carry their own fields', () => {
    const shop = chart();

    new FederatedStatefulSet(shop, 'db', { containers, placement, serviceName: 'db-pods' });
    new FederatedJob(shop, 'migrate', { containers, placement, completions: 4, parallelism: 2 });

    const documents = Testing.synth(shop) as KubeObject[];
    expect(documents.find((d) => d.kind === 'StatefulSet')?.['spec']).toMatchObject({
      replicas: 1,
      serviceName: 'db-pods',
    });
    expect(documents.find((d) => d.kind === 'Job')?.['spec']).toMatchObject({
      parallelism: 2,
      completions: 4,
      template: { spec: { restartPolicy: 'Never' } },
    });
  });

  test('a cluster-scoped template gets a ClusterPropagationPolicy', () => {
    const shop = chart();
    const role = new ApiObject(shop, 'role', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
    });

    const { policy } = new FederatedWorkload(shop, 'placement', { template: role, placement });

    expect(policy.kind).toBe('ClusterPropagationPolicy');
  });

  test('a template that holds two objects is refused with its path', () => {
    const shop = chart();

    expect(() => new FederatedWorkload(shop, 'all', { template: shop, placement })).toThrow(
      /shop\/all.*0 Kubernetes objects/,
    );
  });

  test('props are copied: a later change does not reach the documents', () => {
    const shop = chart();
    const mutable = [{ name: 'main', image: 'nginx:1', env: [{ name: 'A', value: '1' }] }];
    const clusterNames = ['eu-1'];

    new FederatedDeployment(shop, 'web', {
      containers: mutable,
      placement: { clusterAffinity: { clusterNames } },
    });
    const before = JSON.stringify(Testing.synth(shop));
    mutable[0]?.env.push({ name: 'B', value: '2' });
    clusterNames.push('x');

    expect(JSON.stringify(Testing.synth(shop))).toBe(before);
  });

  test('cdk8s’ own values are resolved when the app is synthesized', () => {
    const shop = chart();
    let image = 'nginx:1';
    const late = Lazy.any({ produce: () => image }) as string;

    new FederatedDeployment(shop, 'web', {
      containers: [{ name: 'main', image: late }],
      placement,
      overrides: [
        { overriders: { labelsOverrider: [{ operator: 'add', value: { image: late } }] } },
      ],
    });
    image = 'nginx:2';

    expect(Testing.synth(shop)).toMatchObject([
      { spec: { template: { spec: { containers: [{ image: 'nginx:2' }] } } } },
      { kind: 'PropagationPolicy' },
      { spec: { overrideRules: [{ overriders: { labelsOverrider: [{ value: { image } }] } }] } },
    ]);
  });

  test('a name given is the name everywhere: labels, selector, policy', () => {
    const shop = chart();

    new FederatedStatefulSet(shop, 'store', { metadata: { name: 'db' }, containers, placement });

    expect(Testing.synth(shop)).toMatchObject([
      {
        metadata: { name: 'db' },
        spec: { serviceName: 'db', selector: { matchLabels: { 'app.kubernetes.io/name': 'db' } } },
      },
      { metadata: { name: 'db-statefulset' }, spec: { resourceSelectors: [{ name: 'db' }] } },
    ]);
  });

  test('a construct that wraps one object, and an included file, are placed as they are', () => {
    const shop = chart();
    const wrapped = new Construct(shop, 'wrapped');
    new ApiObject(wrapped, 'Resource', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
    });
    const file = join(mkdtempSync(join(tmpdir(), 'fleetwright-include-')), 'map.yaml');
    writeFileSync(
      file,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: env, namespace: other}\n',
    );
    const { apiObjects } = new Include(shop, 'included', { url: file });

    const service = new FederatedWorkload(shop, 'a', { template: wrapped, placement });
    const included = new FederatedWorkload(shop, 'b', {
      template: apiObjects[0] as ApiObject,
      placement,
    });

    expect(service.policy.toJson()).toMatchObject({
      metadata: { name: 'web-service', namespace: 'shop' },
      spec: { resourceSelectors: [{ kind: 'Service', name: 'web', namespace: 'shop' }] },
    });
    expect(included.policy.toJson()).toMatchObject({
      metadata: { name: 'env-configmap', namespace: 'other' },
      spec: { resourceSelectors: [{ kind: 'ConfigMap', name: 'env', namespace: 'other' }] },
    });
  });

  test('a custom kind without a namespace is claimed cluster-wide when one says so', () => {
    const shop = chart();
    const zone = new ApiObject(shop, 'zone', { apiVersion: 'example.com/v1', kind: 'Zone' });

    const { policy } = new FederatedWorkload(shop, 'placement', {
      template: zone,
      isClusterScoped: true,
      placement,
    });

    expect([policy.kind, policy.metadata.namespace]).toEqual(['ClusterPropagationPolicy', 'shop']);
  });

  test('a Rollout writes its times as text, in windows too', () => {
    const shop = chart();
    const window = { schedule: '0 22 * * *', timeZone: 'UTC', duration: Duration.hours(4) };
    new Rollout(shop, 'rollout', { waves: [{ name: 'all', windows: [window] }] });

    expect(Testing.synth(shop)).toMatchObject([
      {
        spec: {
          waves: [{ windows: [{ schedule: '0 22 * * *', timeZone: 'UTC', duration: '14400s' }] }],
        },
      },
    ]);
  });

  test('a Rollout needs a wave', () => {
    expect(() => new Rollout(chart(), 'rollout', { waves: [] })).toThrow(/at least one wave/);
  });
});

describe('common placements', () => {
  const { ClusterAffinities, ReplicaScheduling, SpreadConstraints } = constructs;

  test.each([
    ['names', ClusterAffinities.byNames(['a']), { clusterNames: ['a'] }],
    [
      'labels',
      ClusterAffinities.byLabels({ t: 'p' }),
      { labelSelector: { matchLabels: { t: 'p' } } },
    ],
  ])('clusters by %s', (_name, found, expected) => {
    expect(found).toEqual(expected);
  });

  test('all of them, together, pass our schemas, Karmada’s admission rules included', () => {
    const shop = chart();
    const spreads = [
      SpreadConstraints.overClusters({ max: 3 }),
      SpreadConstraints.overRegions({ min: 2, max: 3 }, { min: 2, max: 6 }),
    ];
    const strategies = [
      ReplicaScheduling.duplicated(),
      ReplicaScheduling.dividedByAvailableReplicas(),
      ReplicaScheduling.dividedByClusterWeight({ a: 2, b: 1 }),
      ReplicaScheduling.dividedEvenly(),
      ReplicaScheduling.aggregated(),
    ];
    for (const [i, spreadConstraints] of spreads.entries())
      for (const [j, replicaScheduling] of strategies.entries())
        new FederatedDeployment(shop, `web-${i}-${j}`, {
          containers,
          placement: {
            clusterAffinity: ClusterAffinities.byRegions(['eu']),
            spreadConstraints,
            replicaScheduling,
          },
        });

    const documents = (shop.node.root as InstanceType<typeof FleetApp>).toDocuments();

    expect(documents.flatMap(({ object }) => validateDocument(object))).toEqual([]);
  });
});

describe('documents', () => {
  test.each([
    ['shop', shopApp],
    ['teams', teamsApp],
  ])('every document of example %s passes our own schemas', (_name, app) => {
    const documents = app().toDocuments();

    expect(documents.length).toBeGreaterThan(4);
    expect(documents.flatMap(({ object }) => validateDocument(object))).toEqual([]);
  });

  test('they carry their construct path', () => {
    expect(
      shopApp()
        .toDocuments()
        .map((d) => d.source?.construct),
    ).toContain('shop/web/Resource');
  });

  test('reading them twice gives the same', () => {
    const app = shopApp();

    expect(app.toDocuments()).toEqual(app.toDocuments());
  });

  test('a failed validation of the tree stops with its path', () => {
    const shop = chart();
    shop.node.addValidation({ validate: () => ['something is off'] });

    expect(() => (shop.node.root as InstanceType<typeof FleetApp>).toDocuments()).toThrow(
      /shop: something is off/,
    );
  });
});
