import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ClusterClient } from '../../lib/providers/cluster/index.js';
import { connectKubeconfig } from '../../lib/providers/cluster/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { aCluster } from '../builders.js';
import type { AuditEvent } from '../rig/rig.js';
import { describeWithRig, freshName } from '../rig/rig.js';
import { fleetwright, type Ran } from './command.js';

/** The built command in a process of its own, on real API servers with real controllers. The servers' logs are the judge. */
const ROOT = resolve(__dirname, '../..');
const MINUTES = 60_000;

describeWithRig('the command line on real API servers', (rig) => {
  const clients = new Map<string, ClusterClient>();
  const folders: string[] = [];
  const namespaces: string[] = [];

  const project = (documents: readonly object[]): string => {
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-cli-'));
    folders.push(folder);
    writeFileSync(join(folder, 'shop.yaml'), printDocuments(documents));
    writeFileSync(
      join(folder, 'fleet.yaml'),
      printDocuments(rig().clusters.map((name) => aCluster(name, { labels: { tier: 'prod' } }))),
    );
    return folder;
  };
  const up = (
    folder: string,
    app: string,
    more: readonly string[] = [],
    onText?: Parameters<typeof fleetwright>[2],
  ): Promise<Ran> =>
    fleetwright(
      folder,
      ['up', '-f', 'shop.yaml', ...more, '--app', app, '--yes', '--kubeconfig', rig().kubeconfig],
      onText,
    );
  const image = async (
    cluster: string,
    namespace: string,
    name = 'web',
  ): Promise<string | undefined> => {
    const live = await clients
      .get(cluster)
      ?.get({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name });
    const spec = live?.['spec'] as
      { template: { spec: { containers: { image: string }[] } } } | undefined;
    return spec?.template.spec.containers[0]?.image;
  };
  const images = (namespace: string): Promise<(string | undefined)[]> =>
    Promise.all(rig().clusters.map((cluster) => image(cluster, namespace)));
  const rollout = {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'waves' },
    spec: {
      waves: [
        {
          name: 'first',
          clusterAffinity: { clusterNames: ['member1', 'member2'] },
          deadline: '40s',
        },
        { name: 'rest' },
      ],
    },
  };

  interface Web {
    readonly image?: string;
    readonly podAnnotations?: Record<string, string>;
    readonly overrides?: readonly object[];
  }
  const web = (
    namespace: string,
    { image: tag = 'nginx:1', podAnnotations = {}, overrides = [] }: Web,
  ): object[] => {
    const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }];
    const meta = { name: 'web', namespace };
    return [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: meta,
        spec: {
          replicas: 2,
          progressDeadlineSeconds: 8,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' }, annotations: podAnnotations },
            spec: { containers: [{ name: 'web', image: tag }] },
          },
        },
      },
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: meta,
        spec: { resourceSelectors, placement: {} },
      },
      ...(overrides.length === 0
        ? []
        : [
            {
              apiVersion: 'policy.karmada.io/v1alpha1',
              kind: 'OverridePolicy',
              metadata: meta,
              spec: { resourceSelectors, overrideRules: overrides },
            },
          ]),
      rollout,
    ];
  };
  const newNamespace = (): string => {
    const name = freshName('cli');
    namespaces.push(name);
    return name;
  };
  /** Times of the writes to Deployments of a namespace, from the server's own log. */
  const writes = (cluster: string, namespace: string, since = 0): string[] =>
    rig()
      .auditLog(cluster)
      .slice(since)
      .filter(
        (e: AuditEvent) =>
          e.verb === 'patch' &&
          e.objectRef?.resource === 'deployments' &&
          e.objectRef.namespace === namespace &&
          e.userAgent?.startsWith('fleetwright') === true &&
          e.objectRef.subresource === undefined,
      )
      .map((e) => e.requestReceivedTimestamp)
      .sort();
  const marks = (): Map<string, number> =>
    new Map(rig().clusters.map((cluster) => [cluster, rig().auditLog(cluster).length]));

  beforeAll(async () => {
    const connect = connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } });
    for (const cluster of rig().clusters) clients.set(cluster, await connect(cluster));
  }, MINUTES);

  afterAll(async () => {
    await Promise.all(
      [...clients.values()].map(async (client) => {
        await Promise.all(
          namespaces.map((name) => client.delete({ apiVersion: 'v1', kind: 'Namespace', name })),
        );
        await client.close();
      }),
    );
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }, 2 * MINUTES);

  test(
    'the online boutique goes to three clusters in two waves, and a second run writes nothing',
    async () => {
      const folder = project([
        {
          apiVersion: 'policy.karmada.io/v1alpha1',
          kind: 'PropagationPolicy',
          metadata: { name: 'shop' },
          spec: {
            resourceSelectors: [
              { apiVersion: 'apps/v1', kind: 'Deployment' },
              { apiVersion: 'v1', kind: 'Service' },
            ],
            placement: { clusterAffinity: { labelSelector: { matchLabels: { tier: 'prod' } } } },
          },
        },
        // No load balancers here, and a Service that waits for one is not ready.
        {
          apiVersion: 'policy.karmada.io/v1alpha1',
          kind: 'OverridePolicy',
          metadata: { name: 'no-load-balancer' },
          spec: {
            resourceSelectors: [{ apiVersion: 'v1', kind: 'Service', name: 'frontend-external' }],
            overrideRules: [
              {
                overriders: {
                  plaintext: [{ path: '/spec/type', operator: 'replace', value: 'ClusterIP' }],
                },
              },
            ],
          },
        },
        rollout,
      ]);
      copyFileSync(
        join(ROOT, 'examples/01-online-boutique/manifests.yaml'),
        join(folder, 'manifests.yaml'),
      );
      const before = marks();

      const first = await up(folder, 'boutique', ['-f', 'manifests.yaml']);
      const written = rig().clusters.map((cluster) =>
        writes(cluster, 'default', before.get(cluster)),
      );
      const again = marks();
      const second = await up(folder, 'boutique', ['-f', 'manifests.yaml']);

      expect(first.text).toContain('Done after');
      const [one = [], two = [], three = []] = written;
      expect([one.length, two.length, three.length]).toEqual([12, 12, 12]);
      expect([...one, ...two].every((time) => time < (three[0] ?? ''))).toBe(true);
      expect(second.code).toBe(0);
      expect(
        rig().clusters.map((cluster) => writes(cluster, 'default', again.get(cluster))),
      ).toEqual([[], [], []]);
      expect(
        (
          await fleetwright(folder, [
            'destroy',
            '-f',
            'shop.yaml',
            '-f',
            'manifests.yaml',
            '--app',
            'boutique',
            '--yes',
            '--kubeconfig',
            rig().kubeconfig,
          ])
        ).code,
      ).toBe(0);
      expect(await image('member1', 'default', 'frontend')).toBeUndefined();
    },
    6 * MINUTES,
  );

  test(
    'a wave that fails lets its other cluster finish, leaves the later one untouched, and the next up resumes',
    async () => {
      const namespace = newNamespace();
      const folder = project(web(namespace, {}));
      expect((await up(folder, namespace)).code).toBe(0);
      const before = marks();
      const broken = [
        {
          targetCluster: { clusterNames: ['member2'] },
          overriders: {
            plaintext: [
              {
                path: '/spec/template/metadata/annotations',
                operator: 'add',
                value: { 'rig/never-ready': 'ImagePullBackOff' },
              },
            ],
          },
        },
      ];
      writeFileSync(
        join(folder, 'shop.yaml'),
        printDocuments(web(namespace, { image: 'nginx:2', overrides: broken })),
      );

      const failing = await up(folder, namespace);
      const after = await images(namespace);
      const untouched = writes('member3', namespace, before.get('member3'));
      writeFileSync(
        join(folder, 'shop.yaml'),
        printDocuments(web(namespace, { image: 'nginx:2' })),
      );
      const resumed = await up(folder, namespace);

      expect(failing.code).toBe(1);
      expect(failing.text).toContain('member2');
      expect(failing.text).toMatch(/Continue with/);
      expect(after).toEqual(['nginx:2', 'nginx:2', 'nginx:1']);
      expect(untouched).toEqual([]);
      expect([resumed.code, ...(await images(namespace))]).toEqual([
        0,
        'nginx:2',
        'nginx:2',
        'nginx:2',
      ]);
    },
    6 * MINUTES,
  );

  test(
    'an object of another manager is a conflict that names it, and nothing is written there',
    async () => {
      const namespace = newNamespace();
      const client = clients.get('member1');
      await client?.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      const [deployment] = web(namespace, { image: 'nginx:theirs' });
      await client?.apply(deployment as never, { fieldManager: 'their-tool' });
      const folder = project(web(namespace, {}));

      const { code, text } = await up(folder, namespace);

      expect(code).toBe(1);
      expect(text).toContain('APPLY_CONFLICT');
      expect(text).toContain('belongs to "their-tool"');
      expect(await image('member1', namespace)).toBe('nginx:theirs');
    },
    4 * MINUTES,
  );

  test(
    'a run that is killed in the middle is completed by the next',
    async () => {
      const namespace = newNamespace();
      const folder = project(web(namespace, {}));
      expect((await up(folder, namespace)).code).toBe(0);
      writeFileSync(
        join(folder, 'shop.yaml'),
        printDocuments(
          web(namespace, { image: 'nginx:2', podAnnotations: { 'rig/ready-after': '4s' } }),
        ),
      );
      const before = marks();

      const killed = await up(folder, namespace, [], (text, kill) => {
        if (/wave first: observing/.test(text)) kill();
      });
      const halfway = await images(namespace);
      const resumed = await up(folder, namespace);

      expect(killed.code).toBeNull();
      expect(halfway[2]).toBe('nginx:1');
      expect([resumed.code, ...(await images(namespace))]).toEqual([
        0,
        'nginx:2',
        'nginx:2',
        'nginx:2',
      ]);
      // Nothing twice: what the killed run had written is not written again.
      expect(
        rig().clusters.map((cluster) => writes(cluster, namespace, before.get(cluster)).length),
      ).toEqual([1, 1, 1]);
    },
    6 * MINUTES,
  );

  test(
    'credentials that are refused and rights that are missing end with a remedy and write nothing',
    async () => {
      const namespace = newNamespace();
      const folder = project(web(namespace, {}));
      const run = async (token: string): Promise<Ran> => {
        writeFileSync(join(folder, 'kubeconfig'), rig().kubeconfigWith(token), { mode: 0o600 });
        return fleetwright(folder, [
          'up',
          '-f',
          'shop.yaml',
          '--app',
          namespace,
          '--yes',
          '--kubeconfig',
          'kubeconfig',
        ]);
      };

      const expired = await run('no-server-knows-me');
      const powerless = await run(rig().viewerToken);

      expect([expired.code, powerless.code]).toEqual([1, 1]);
      expect(expired.text).toMatch(/CLUSTER_UNAUTHORIZED|Unauthorized/);
      expect(powerless.text).toMatch(/CLUSTER_FORBIDDEN|forbidden/);
      expect(expired.text).not.toContain('no-server-knows-me');
      expect(await images(namespace)).toEqual([undefined, undefined, undefined]);
    },
    4 * MINUTES,
  );
});
