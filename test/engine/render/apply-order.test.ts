import { describe, expect, test } from '@jest/globals';
import type { DependentReference } from '../../../lib/engine/interpret/index.js';
import { interpreterFor } from '../../../lib/engine/interpret/index.js';
import { applyRank, orderForApply } from '../../../lib/engine/render/index.js';
import type { KubeObject } from '../override/builders.js';
import { anObject, aWorkload } from '../override/builders.js';

function named(kind: string, name: string, apiVersion?: string): KubeObject {
  const object = anObject(kind, {}, { metadata: { name } });
  return apiVersion === undefined ? object : { ...object, apiVersion };
}

function order(
  objects: readonly KubeObject[],
  references?: Readonly<Record<string, readonly KubeObject[]>>,
): readonly string[] {
  const referencesOf = (object: KubeObject): readonly DependentReference[] =>
    references === undefined
      ? (interpreterFor(object).interpretDependency?.(object) ?? [])
      : (references[object.metadata.name ?? ''] ?? []).map(({ apiVersion, kind, metadata }) => ({
          apiVersion,
          kind,
          namespace: 'shop',
          name: metadata.name ?? '',
        }));
  return orderForApply(objects, (o) => o, referencesOf).map(({ item }) => item.metadata.name ?? '');
}

test('what others need comes first', () => {
  const kinds = [
    ['ValidatingWebhookConfiguration', 'admissionregistration.k8s.io/v1'],
    ['Certificate', 'cert-manager.io/v1'],
    ['Ingress', 'networking.k8s.io/v1'],
    ['Job', 'batch/v1'],
    ['Deployment', 'apps/v1'],
    ['Service', 'v1'],
    ['ConfigMap', 'v1'],
    ['RoleBinding', 'rbac.authorization.k8s.io/v1'],
    ['ServiceAccount', 'v1'],
    ['ResourceQuota', 'v1'],
    ['PriorityClass', 'scheduling.k8s.io/v1'],
    ['Namespace', 'v1'],
    ['CustomResourceDefinition', 'apiextensions.k8s.io/v1'],
  ] as const;
  const ranks = kinds.map(([kind, apiVersion]) => applyRank({ kind, apiVersion }));

  expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
  expect(new Set(ranks).size).toBe(kinds.length);
});

test('any version of a kind has the same rank, the same name in another group has not', () => {
  expect(applyRank({ apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget' })).toBe(
    applyRank({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' }),
  );
  expect(applyRank({ apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job' })).not.toBe(
    applyRank({ apiVersion: 'batch/v1', kind: 'Job' }),
  );
});

describe('orderForApply', () => {
  const deployment = { ...aWorkload('Deployment', { volumes: [{ configMap: { name: 'env' } }] }) };

  test('by rank, then by reference, then by key', () => {
    const objects = [
      deployment,
      named('ConfigMap', 'env'),
      named('Namespace', 'shop'),
      named('Service', 'a'),
    ];

    expect(order(objects)).toEqual(['shop', 'env', 'a', 'web']);
  });

  test('does not depend on the order of the list', () => {
    const objects = [
      deployment,
      named('ConfigMap', 'env'),
      named('ConfigMap', 'b'),
      named('Service', 'a'),
    ];

    expect(order(objects.toReversed())).toEqual(order(objects));
  });

  test('within a rank a chain is followed', () => {
    const [a, b, c] = [
      named('ConfigMap', 'a'),
      named('ConfigMap', 'b'),
      named('ConfigMap', 'c'),
    ] as const;

    expect(order([a, b, c], { a: [b], b: [c] })).toEqual(['c', 'b', 'a']);
  });

  test('a reference against the ranks lifts the object that refers, and those that refer to it', () => {
    const config = named('ConfigMap', 'config');
    const claim = named('Widget', 'claim', 'x.io/v1');
    const user = named('Deployment', 'user');
    const placed = orderForApply(
      [config, claim, user],
      (o) => o,
      (object) => {
        const target = { config: claim, user: config }[object.metadata.name ?? ''];
        return target === undefined
          ? []
          : [
              {
                apiVersion: target.apiVersion,
                kind: target.kind,
                namespace: 'shop',
                name: target.metadata.name ?? '',
              },
            ];
      },
    );

    expect(placed.map(({ item }) => item.metadata.name)).toEqual(['claim', 'config', 'user']);
    expect(new Set(placed.map(({ rank }) => rank))).toEqual(new Set([applyRank(claim)]));
  });

  test('a circle ends, with the ranks of the kinds', () => {
    const [a, b] = [named('ConfigMap', 'a'), named('ConfigMap', 'b')] as const;

    expect([...order([a, b], { a: [b], b: [a] })].sort()).toEqual(['a', 'b']);
  });

  test('a reference by label finds what carries it', () => {
    const slice = {
      ...named('EndpointSlice', 'derived', 'discovery.k8s.io/v1'),
      metadata: {
        namespace: 'shop',
        name: 'derived',
        labels: { 'kubernetes.io/service-name': 'derived-x' },
      },
    };
    const serviceImport = named('ServiceImport', 'x', 'multicluster.x-k8s.io/v1alpha1');

    expect(order([serviceImport, slice])).toEqual(['derived', 'x']);
  });
});
