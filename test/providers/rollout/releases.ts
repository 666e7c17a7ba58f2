import { createHash } from 'node:crypto';
import { afterEach } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { canonicalJson } from '../../../lib/engine/canonical.js';
import { refOf } from '../../../lib/engine/object.js';
import type { Manifest, Plan, PlannedWave, Release } from '../../../lib/engine/plan.js';
import { MARKS } from '../../../lib/engine/plan.js';
import { applyRank } from '../../../lib/engine/render/index.js';
import { applySetId } from '../../../lib/engine/rollout/index.js';
import {
  connectKubeconfig,
  type ClusterClient,
  type Connect,
} from '../../../lib/providers/cluster/index.js';
import type { RolloutReport } from '../../../lib/providers/rollout/index.js';
import { startSandbox, type Sandbox } from '../../../lib/providers/sandbox/index.js';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A Deployment of two pods that are ready at once, unless the image has a tag that no registry has. */
export function aDeployment(
  name: string,
  facts: { replicas?: number; image?: string; annotations?: object; namespace?: string } = {},
): KubeObject {
  const { replicas = 2, image = 'nginx:1.29', annotations = {}, namespace = 'shop' } = facts;
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'rig/ready-after': '10ms', ...annotations } },
        spec: { containers: [{ name: 'main', image }] },
      },
    },
  };
}

export function aConfigMap(
  name: string,
  data: Record<string, string> = { MODE: 'a' },
  namespace = 'shop',
): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

export function aNamespace(name = 'shop'): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

export function aManifest(object: KubeObject, facts: Partial<Manifest> = {}): Manifest {
  const application = 'web-shop';
  const content = {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, [MARKS.application]: application },
      labels: { ...object.metadata.labels, [MARKS.partOf]: applySetId(application, sha) },
    },
  };
  const revision = sha(canonicalJson(content)).slice(0, 16);
  const generation = facts.generation ?? 1;
  const marks = { [MARKS.revision]: revision, [MARKS.generation]: String(generation) };
  return {
    resource: refOf(object),
    object: {
      ...content,
      metadata: { ...content.metadata, annotations: { ...content.metadata.annotations, ...marks } },
    },
    revision,
    generation,
    action: 'create',
    conflictResolution: 'Abort',
    preserveOnDeletion: false,
    shared: object.kind === 'Namespace',
    rank: applyRank(object),
    ...facts,
  };
}

export function aRelease(
  cluster: string,
  objects: readonly (KubeObject | Manifest)[],
  facts: Partial<Release> = {},
): Release {
  const manifests = objects.map((one) =>
    'resource' in one && 'revision' in one ? (one as Manifest) : aManifest(one as KubeObject),
  );
  return {
    application: 'web-shop',
    cluster,
    wave: 'all',
    manifests: manifests.sort((a, b) => a.rank - b.rank),
    deletions: [],
    ...facts,
  };
}

export function aWave(
  name: string,
  clusters: readonly string[],
  gate: Partial<PlannedWave['gate']> = {},
  maxConcurrent = 99,
): PlannedWave {
  return {
    name,
    clusters,
    maxConcurrent,
    gate: { soakSeconds: 0, deadlineSeconds: 10, maxFailures: 0, approval: false, ...gate },
  };
}

/** The part of a plan that a rollout reads. */
export function aPlan(waves: readonly PlannedWave[], releases: readonly Release[]): Plan {
  const waveOf = (cluster: string): string =>
    waves.find(({ clusters }) => clusters.includes(cluster))?.name ?? '';
  return {
    schemaVersion: 1,
    application: 'web-shop',
    now: '2026-01-01T00:00:00Z',
    applicable: true,
    fleet: { clusters: releases.length, hash: '' },
    bindings: [],
    changes: [],
    waves,
    releases: releases.map((release) => ({ ...release, wave: waveOf(release.cluster) })),
    checks: [],
    diagnostics: [],
    lock: {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'FleetLock',
      metadata: { name: 'web-shop' },
      serial: 1,
      bindings: [],
      tombstones: [],
    },
    lockChanges: [],
  };
}

export interface TestFleet {
  readonly sandbox: Sandbox;
  readonly connect: Connect;
  client(cluster: string): Promise<ClusterClient>;
  /** Writes that reached a cluster since the last call: `PATCH /apis/…`. */
  writes(cluster: string): readonly string[];
  close(): Promise<void>;
}

/** Simulated clusters with namespace `shop` in each, and a client for each that does not wait long. */
export async function aFleet(...names: readonly string[]): Promise<TestFleet> {
  const sandbox = await startSandbox({ clusters: names.map((name) => ({ name })) });
  const connect = connectKubeconfig({
    kubeconfig: { text: sandbox.kubeconfig },
    deadlineMs: 2_000,
  });
  const clients = new Map<string, Promise<ClusterClient>>();
  const client = (cluster: string): Promise<ClusterClient> => {
    const known = clients.get(cluster) ?? connect(cluster);
    clients.set(cluster, known);
    return known;
  };
  const seen = new Map<string, number>();
  return {
    sandbox,
    connect: client,
    client,
    writes: (cluster) => {
      const { requests } = sandbox.cluster(cluster);
      const from = seen.get(cluster) ?? 0;
      seen.set(cluster, requests.length);
      return requests
        .slice(from)
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path}`);
    },
    close: async () => {
      for (const one of clients.values()) await (await one).close();
      await sandbox.close();
    },
  };
}

/** A fleet that each test starts for itself, and that is closed after it. To be called once, at the top of a file. */
export function aFleetPerTest(): {
  readonly start: (...names: readonly string[]) => Promise<TestFleet>;
  /** The one that runs. */
  readonly current: () => TestFleet;
} {
  let fleet: TestFleet | undefined;
  afterEach(async () => {
    await fleet?.close();
    fleet = undefined;
  });
  return {
    start: async (...names) => (fleet = await aFleet(...names)),
    current: () => {
      if (fleet === undefined) throw new Error('no fleet was started');
      return fleet;
    },
  };
}

/** How far each cluster came, by name. */
export function phasesOf({ waves }: RolloutReport): Record<string, string> {
  return Object.fromEntries(
    waves.flatMap(({ clusters }) => clusters.map(({ cluster, phase }) => [cluster, phase])),
  );
}
