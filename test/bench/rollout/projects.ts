import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../../lib/api/object.js';
import { printDocuments } from '../../../lib/providers/source/print.js';

/** A project folder as a user has it, without its fleet. */
export function writeProject(
  folder: string,
  documents: readonly KubeObject[],
  kubeconfig: string,
): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'documents.yaml'), printDocuments(documents));
  writeFileSync(join(folder, 'kubeconfig'), kubeconfig, { mode: 0o600 });
}

/** As the Karmada control plane was measured: Deployments of as many replicas as there are clusters, one on each. */
export function dividedDeployments(
  namespace: string,
  count: number,
  replicas: number,
  imageOf: (name: string) => string,
): readonly KubeObject[] {
  const deployments = numbers(count).map((i) =>
    aDeployment(`web-${i}`, namespace, { replicas, image: imageOf(`web-${i}`) }),
  );
  const divided = {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
  };
  return [...deployments, aPolicy(namespace, { replicaScheduling: divided })];
}

/** `count` of each of these kinds, on every cluster: 4 × `count` objects. */
export function manyKinds(
  namespace: string,
  count: number,
  image = 'nginx:1.29',
): readonly KubeObject[] {
  const objects = numbers(count).flatMap((i): KubeObject[] => {
    const name = `part-${i}`;
    const metadata = { name, namespace };
    return [
      aDeployment(name, namespace, { replicas: 1, image }),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { MODE: 'a', NUMBER: String(i) } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata,
        spec: { selector: { app: name }, ports: [{ port: 80 }] },
      },
    ];
  });
  return [...objects, aPolicy(namespace, {}, 'ConfigMap', 'ServiceAccount', 'Service')];
}

/** Five Deployments on every cluster; the first has this image. */
export function oneOfMany(namespace: string, image: string): readonly KubeObject[] {
  const deployments = numbers(5).map((i) =>
    aDeployment(`web-${i}`, namespace, { replicas: 1, image: i === 0 ? image : 'nginx:1.29' }),
  );
  return [...deployments, aPolicy(namespace, {}, 'ConfigMap')];
}

export function manySettings(namespace: string, count: number): readonly KubeObject[] {
  return numbers(count).map((i) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `settings-${i}`, namespace },
    data: { MODE: 'a', NUMBER: String(i) },
  }));
}

/** The waves of the issue: 20, 30 and 50 % of the fleet, half of each at a time. */
export function threeWaves(): KubeObject {
  const wave = (name: string, percentage: number): object => ({
    name,
    percentage,
    maxConcurrent: '50%',
  });
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'waves' },
    spec: { waves: [wave('first', 20), wave('second', 30), wave('rest', 50)] },
  };
}

function aDeployment(
  name: string,
  namespace: string,
  { replicas, image }: { replicas: number; image: string },
): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'rig/ready-after': '50ms' } },
        spec: { containers: [{ name: 'web', image }] },
      },
    },
  };
}

function aPolicy(namespace: string, placement: object, ...more: readonly string[]): KubeObject {
  const resourceSelectors = [
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    ...more.map((kind) => ({ apiVersion: 'v1', kind })),
  ];
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'all', namespace },
    spec: { resourceSelectors, placement },
  };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => i);
}
