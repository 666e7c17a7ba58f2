import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../lib/api/object.js';
import { connectKubeconfig, type ClusterClient } from '../../lib/providers/cluster/index.js';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { contentsOf, emptyFolder, put, read, run } from './run.js';

jest.setTimeout(60_000);

/** Adopting what somebody else made on simulated clusters. Each test has a namespace of its own. */
const CLUSTERS = ['member1', 'member2'] as const;
let sandbox: Sandbox;
let clients: readonly ClusterClient[] = [];
let cwd = '';
let shop = '';
let count = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ clusters: CLUSTERS.map((name) => ({ name, region: name })) });
  const open = connectKubeconfig({ kubeconfig: { text: sandbox.kubeconfig } });
  clients = await Promise.all(CLUSTERS.map((name) => open(name)));
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await sandbox.close();
});
beforeEach(() => {
  cwd = emptyFolder();
  shop = `shop-${(count += 1)}`;
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
});

const adopt = (more = ''): ReturnType<typeof run> =>
  run(
    `adopt --context member1 --context member2 -n ${shop} --kubeconfig kubeconfig --out adopted ${more}`,
    { cwd },
  );
const up = (more = ''): ReturnType<typeof run> =>
  run(`up --kubeconfig ../kubeconfig --yes ${more}`, { cwd: join(cwd, 'adopted') });

/** What a person did with kubectl on both clusters; the second has another tag and one replica more. */
async function deploy(images = ['nginx:1.29', 'nginx:1.28']): Promise<void> {
  for (const [index, client] of clients.entries()) {
    const apply = (object: KubeObject): Promise<KubeObject> =>
      client.apply(object, { fieldManager: 'kubectl' });
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: shop } });
    await apply(object('v1', 'ConfigMap', 'env', { data: { MODE: 'a' } }));
    await apply(
      object('v1', 'Service', 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }),
    );
    await apply(
      object('apps/v1', 'Deployment', 'web', {
        spec: {
          replicas: 2 + index,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'web', image: images[index] ?? '' }] },
          },
        },
      }),
    );
  }
}

function object(apiVersion: string, kind: string, name: string, rest: object): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: shop }, ...rest };
}

const pods = (): string[] =>
  CLUSTERS.flatMap((cluster) =>
    sandbox
      .cluster(cluster)
      .objects()
      .filter(({ kind, metadata }) => kind === 'Pod' && metadata.namespace === shop)
      .map(({ metadata }) => `${cluster} ${metadata.uid ?? ''}`),
  ).sort();

const versionsOf = (): string[] =>
  CLUSTERS.flatMap((cluster) =>
    sandbox
      .cluster(cluster)
      .objects()
      .filter(({ metadata }) => metadata.namespace === shop)
      .map(({ kind, metadata }) => `${cluster} ${kind} ${metadata.resourceVersion ?? ''}`),
  ).sort();

async function untilThere(wanted: number): Promise<void> {
  for (const [index, client] of clients.entries()) {
    const stop = new AbortController();
    const kind = { apiVersion: 'apps/v1', kind: 'Deployment' };
    for await (const event of client.watch(kind, { namespace: shop }, stop.signal)) {
      const objects = event.type === 'LISTED' ? event.objects : [event.object];
      const isThere = ({ status }: KubeObject): boolean =>
        (status as { readonly availableReplicas?: number } | undefined)?.availableReplicas ===
        wanted + index;
      if (objects.some(isThere)) stop.abort();
    }
  }
}

describe('adopt', () => {
  test('describes what runs as a project; up takes it over without touching a pod', async () => {
    await deploy();
    await untilThere(2);
    const before = pods();
    expect(before).toHaveLength(5);

    const ran = await adopt();

    expect(ran.stderr).not.toContain('error');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('= member1  stays as it is · written by kubectl');
    expect(ran.stdout).toContain('Next: cd adopted && fleetwright up');
    expect(Object.keys(contentsOf(join(cwd, 'adopted')))).toEqual([
      'fleet.lock.yaml',
      'fleet.yaml',
      'fleetwright.yaml',
      'policies/overrides.yaml',
      'policies/propagation.yaml',
      `templates/${shop}/configmap-env.yaml`,
      `templates/${shop}/deployment-web.yaml`,
      `templates/${shop}/service-web.yaml`,
    ]);
    expect(read(cwd, 'adopted/policies/propagation.yaml')).toContain(
      'conflictResolution: Overwrite',
    );

    const applied = await up();

    expect(applied).toMatchObject({ code: 0 });
    expect(pods()).toEqual(before);
    const versions = versionsOf();
    const again = await up();
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('0 to add, 0 to change');
    expect(versionsOf()).toEqual(versions);
    expect((await adopt('--check')).stdout).toMatch(
      /= member1 {2}stays as it is · written by fleetwright, kubectl/,
    );
  });

  test('refuses when pods would restart, and goes on when that is allowed', async () => {
    await deploy();
    await adopt();
    put(cwd, 'adopted/policies/overrides.yaml', '');

    const refused = await adopt('--check');
    const allowed = await adopt('--check --allow-restart');

    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('~ member2  1 field changes, pods restart');
    expect(refused.stdout).toContain(
      '.spec.template.spec.containers[web].image: "nginx:1.28" → "nginx:1.29"',
    );
    expect(refused.stderr).toMatch(/error +ADOPT_WOULD_RESTART .*member2/);
    expect(allowed).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/warning +ADOPT_WOULD_RESTART/),
    });
  });

  test('replicas under an autoscaler are left to it', async () => {
    await deploy();
    for (const client of clients)
      await client.apply(
        object('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
          spec: {
            minReplicas: 1,
            maxReplicas: 9,
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          },
        }),
        { fieldManager: 'kubectl' },
      );
    await adopt();
    // What the autoscaler does in the meantime.
    const [client] = clients as [ClusterClient];
    await client.apply(object('apps/v1', 'Deployment', 'web', { spec: { replicas: 4 } }), {
      fieldManager: 'autoscaler',
      force: true,
    });

    const checked = await adopt('--check');

    expect(checked.code).toBe(0);
    expect(checked.stdout).toMatch(
      /Deployment \S+\n {2}= member1 {2}stays as it is · written by autoscaler, kubectl\n/,
    );
  });

  test('leaves Secrets, and what others take care of, where they are', async () => {
    const [client] = clients as [ClusterClient];
    await deploy();
    await client.apply(object('v1', 'Secret', 'key', { stringData: { password: 'hunter2' } }), {
      fieldManager: 'kubectl',
    });
    await client.apply(
      {
        ...object('v1', 'ConfigMap', 'theirs', { data: {} }),
        metadata: {
          name: 'theirs',
          namespace: shop,
          labels: { 'applyset.kubernetes.io/part-of': 'applyset-other-v1' },
        },
      },
      { fieldManager: 'kubectl' },
    );

    const ran = await adopt();

    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/warning +SECRET_IN_CLEAR .*Secret shop-\d+\/key is not adopted/);
    expect(ran.stdout).toContain('theirs · it belongs to the set "applyset-other-v1"');
    const written = Object.values(contentsOf(join(cwd, 'adopted'))).join('');
    expect(written).not.toMatch(/aHVudGVyMg|hunter2|theirs/);
  });

  test('a cluster that cannot be read: nothing is written', async () => {
    await deploy();
    await sandbox.cluster('member2').stop();
    try {
      const ran = await adopt();

      expect(ran.code).toBe(1);
      expect(ran.stderr).toMatch(/error +CLUSTER_UNREACHABLE .*member2/);
      expect(existsSync(join(cwd, 'adopted'))).toBe(false);
    } finally {
      await sandbox.cluster('member2').start();
    }
  });

  test.each([
    ['a kind that is not served', '--kind Rocket', /KIND_NOT_SERVED .*Rocket/],
    ['no such object', '--name nothing', /^$/],
  ])('%s', async (_name, more, message) => {
    await deploy();

    const ran = await adopt(more);

    expect(ran.stderr).toMatch(message);
    expect(existsSync(join(cwd, 'adopted'))).toBe(false);
  });

  test('never writes into a folder that holds files', async () => {
    put(cwd, 'adopted/mine.yaml', 'x');

    expect(await adopt()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('adopted is not empty'),
    });
  });
});
