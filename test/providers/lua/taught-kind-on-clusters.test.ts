import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/engine/object.js';
import { connectKubeconfig, type ClusterClient } from '../../../lib/providers/cluster/index.js';
import { planRelease } from '../../../lib/providers/pulumi/plan-release.js';
import { wireKey } from '../../../lib/providers/pulumi/release-wire.js';
import { aggregateOutputs } from '../../../lib/providers/pulumi/status.js';
import { startSandbox, type Sandbox } from '../../../lib/providers/sandbox/index.js';
import { copyOf, NOW, put, read, run } from '../../bin/run.js';

jest.setTimeout(60_000);

/** Example 05 from the command line on simulated clusters, with the operator of its kind played by this file. */
let sandbox: Sandbox;
let clients: ReadonlyMap<string, ClusterClient>;
let cwd = '';

const CLUSTERS = ['eu-1', 'us-1'];
const CACHE = {
  apiVersion: 'cache.example.com/v1',
  kind: 'CacheCluster',
  namespace: 'shop',
  name: 'sessions',
};
const FLAGS = '-f customization.yaml -f app --app cache --kubeconfig kubeconfig --no-frozen';

beforeAll(async () => {
  sandbox = await startSandbox({
    clusters: CLUSTERS.map((name) => ({ name, region: name.slice(0, 2) })),
  });
  cwd = copyOf('05-teach-a-kind');
  // No operator reports here, so the script calls nothing healthy: gates shall not wait for it.
  const waived = 'metadata:\n  annotations: { fleetwright.dev/readiness: ignore }\n';
  put(cwd, 'app/cache.yaml', read(cwd, 'app/cache.yaml').replace('metadata:\n', waived));
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  const connect = connectKubeconfig({ kubeconfig: { text: sandbox.kubeconfig } });
  clients = new Map(
    await Promise.all(CLUSTERS.map(async (name) => [name, await connect(name)] as const)),
  );
});
afterAll(async () => {
  await Promise.all([...clients.values()].map((client) => client.close()));
  await sandbox.close();
});

const up = (): ReturnType<typeof run> => run(`up ${FLAGS} --yes`, { cwd });
const specOn = async (cluster: string): Promise<Record<string, unknown>> =>
  ((await clients.get(cluster)?.get(CACHE))?.['spec'] ?? {}) as Record<string, unknown>;

/** The operator of a cluster picks a leader. */
async function pick(cluster: string, leader: string): Promise<void> {
  const object = { ...CACHE, metadata: { name: CACHE.name, namespace: CACHE.namespace } };
  const { apiVersion, kind, metadata } = object;
  await clients
    .get(cluster)
    ?.apply(
      { apiVersion, kind, metadata, spec: { leader } },
      { fieldManager: 'cache-operator', force: true },
    );
}

test('its nodes are divided as the script says', async () => {
  expect(await up()).toMatchObject({ code: 0 });

  expect(await specOn('eu-1')).toMatchObject({ nodes: 4 });
  expect(await specOn('us-1')).toMatchObject({ nodes: 2 });
});

test('what the operator of a cluster decides is kept, shown as no drift, and the rest is updated', async () => {
  await pick('eu-1', 'node-2');
  put(
    cwd,
    'app/cache.yaml',
    read(cwd, 'app/cache.yaml')
      .replace('  nodes: 6\n', '  nodes: 6\n  leader: node-0\n')
      .replace('cache:4', 'cache:5'),
  );

  expect(await up()).toMatchObject({ code: 0 });
  const drift = await run(`diff ${FLAGS} --live`, { cwd });

  expect(await specOn('eu-1')).toMatchObject({ leader: 'node-2' });
  // Where the operator has picked none yet, the script drops the template's, as it would with Karmada.
  expect(await specOn('us-1')).not.toHaveProperty('leader');
  expect(JSON.stringify(await specOn('eu-1'))).toContain('cache:5');
  expect(drift.stdout).toBe('The clusters are as planned.\n');
});

test('status shows what the scripts make of the live objects', async () => {
  const { code, stdout } = await run(`status ${FLAGS} --json`, { cwd });
  const { templates } = JSON.parse(stdout) as {
    readonly templates: readonly {
      readonly resource: { readonly kind: string };
      readonly karmada?: unknown;
      readonly clusters: readonly { readonly item: object }[];
    }[];
  };
  const cache = templates.find(({ resource }) => resource.kind === 'CacheCluster');

  expect(code).toBe(0);
  // No operator reports here: the scripts answer for objects without a status.
  expect(cache?.karmada).toEqual({ readyNodes: 0 });
  expect(cache?.clusters.map(({ item }) => item)).toMatchObject([
    { status: { readyNodes: 0 }, health: 'Unhealthy' },
    { status: { readyNodes: 0 }, health: 'Unhealthy' },
  ]);
});

test('with Pulumi the program asks the same scripts, with the planned spec', () => {
  const planned = planRelease(
    'cache',
    { files: ['app', 'customization.yaml'], fleet: 'fleet.yaml', lock: 'write', now: NOW },
    { cwd, isCi: false, now: NOW } as never,
  );
  const reported = (readyNodes: number): string => {
    const object: KubeObject = {
      apiVersion: CACHE.apiVersion,
      kind: CACHE.kind,
      metadata: { name: CACHE.name, namespace: CACHE.namespace, generation: 1 },
      status: { observedGeneration: 1, readyNodes },
    };
    return JSON.stringify({ [wireKey(CACHE)]: object });
  };
  const seen: unknown[] = [];
  const [taught] = planned.interpreters;
  const watching = {
    ...taught,
    kinds: [{ apiVersion: CACHE.apiVersion, kind: CACHE.kind }],
    interpretHealth: (object: KubeObject) => {
      const healthy = taught?.interpretHealth?.(object) ?? false;
      seen.push([(object['spec'] as { readonly nodes?: number }).nodes, healthy]);
      return healthy;
    },
  };

  const statuses = aggregateOutputs(planned.plan, { 'eu-1': reported(4), 'us-1': reported(1) }, [
    watching,
  ]);

  expect(statuses['CacheCluster shop/sessions']?.karmada).toEqual({ readyNodes: 5 });
  expect(seen).toEqual([
    [4, true],
    [2, false],
  ]);
});

test('overrides are explained over what the script divided', async () => {
  put(
    cwd,
    'app/override.yaml',
    `apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: { name: more, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: cache.example.com/v1, kind: CacheCluster, name: sessions }]
  overrideRules:
    - targetCluster: { clusterNames: [eu-1] }
      overriders: { plaintext: [{ path: /spec/nodes, operator: replace, value: 9 }] }
`,
  );

  const { stdout } = await run(
    'explain CacheCluster/shop/sessions --overrides -f customization.yaml -f app --app cache',
    { cwd },
  );

  expect(stdout).toContain('/spec/nodes  4 → 9');
});
