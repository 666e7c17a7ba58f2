import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printDocuments } from '../../lib/providers/source/index.js';

/** Clusters of the waves, in order. */
export const WAVES = ['member1', 'member2', 'member3'] as const;

/** Replicas by cluster of the two versions: two pods move from the first to the last wave. */
export const REPLICAS = { 1: [3, 1, 1], 2: [1, 1, 3] } as const;
export type Version = keyof typeof REPLICAS;

/**
 * What a person would have in `shop.yaml`: an application in three waves of one cluster. Version 2 has another image, another
 * ConfigMap, replicas that move to the last wave, and no longer the ConfigMap `old`.
 */
export function documentsOf(version: Version, namespace: string): readonly object[] {
  const labels = { app: 'web' };
  const configMap = (name: string, data: object): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data,
  });
  const select = (kind: string, apiVersion: string): object => ({ apiVersion, kind, namespace });
  const affinity = { clusterAffinity: { clusterNames: [...WAVES] } };
  const policy = (name: string, placement: object, ...resourceSelectors: object[]): object => ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, namespace },
    spec: { resourceSelectors, placement: { ...affinity, ...placement } },
  });
  const staticWeightList = WAVES.map((cluster, index) => ({
    targetCluster: { clusterNames: [cluster] },
    weight: REPLICAS[version][index] ?? 1,
  }));
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace },
      spec: {
        replicas: 5,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { 'rig/ready-after': '10ms' } },
          spec: { containers: [{ name: 'web', image: `nginx:${version}` }] },
        },
      },
    },
    configMap('env', { VERSION: String(version) }),
    ...(version === 1 ? [configMap('old', {})] : []),
    policy('configs', {}, select('ConfigMap', 'v1')),
    policy(
      'web',
      {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: { staticWeightList },
        },
      },
      select('Deployment', 'apps/v1'),
    ),
    {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'web', namespace },
      spec: {
        waves: WAVES.map((name) => ({
          name,
          clusterAffinity: { clusterNames: [name] },
          deadline: '60s',
        })),
      },
    },
  ];
}

/** A folder of its own with a fleet and a kubeconfig. */
export function newProject(fleet: readonly object[], kubeconfig: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-faults-'));
  writeFileSync(join(folder, 'fleet.yaml'), printDocuments(fleet));
  writeFileSync(join(folder, 'kubeconfig'), kubeconfig, { mode: 0o600 });
  return folder;
}

export function putVersion(folder: string, version: Version, namespace: string): void {
  writeFileSync(join(folder, 'shop.yaml'), printDocuments(documentsOf(version, namespace)));
}

const accessFor = (app: string): readonly string[] => [
  ...['--app', app, '--kubeconfig', 'kubeconfig', '--yes'],
];
export const upFor = (app: string): readonly string[] => [
  'up',
  '-f',
  'shop.yaml',
  ...accessFor(app),
];
export const UP = upFor('shop');
export const ROLL_BACK = ['rollback', '--to', '1', ...accessFor('shop')];
export const DESTROY = ['destroy', '-f', 'shop.yaml', ...accessFor('shop')];
