import { ApiObject, Chart, Testing } from 'cdk8s';
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

  test('props are copied: a later change does not reach the document', () => {
    const shop = chart();
    const mutable = [{ name: 'main', image: 'nginx:1' }];

    new FederatedDeployment(shop, 'web', { containers: mutable, placement });
    const before = JSON.stringify(Testing.synth(shop)[1]);
    (placement.clusterAffinity.clusterNames as string[]).push('x');

    expect(JSON.stringify(Testing.synth(shop)[1])).toBe(before);
    placement.clusterAffinity.clusterNames.pop();
  });

  test('a Rollout needs a wave', () => {
    expect(() => new Rollout(chart(), 'rollout', { waves: [] })).toThrow(/at least one wave/);
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
