import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../lib/api/object.js';
import { connectKubeconfig, type ClusterClient } from '../../lib/providers/cluster/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { aCluster } from '../builders.js';
import { PulumiProject } from '../providers/pulumi/project.js';
import { describeWithPulumi, describeWithRig, freshName } from '../rig/rig.js';
import { fleetwright } from './command.js';

/**
 * One rollout of three waves on five real API servers, by the command and by Pulumi: held for an approval, soaked, then a bad
 * image that one cluster of the last wave cannot run, and the way back. The servers' own logs say who was written when.
 */
const MINUTES = 60_000;

describeWithRig('five clusters, three waves', (rig) => {
  const clients = new Map<string, ClusterClient>();
  const namespaces: string[] = [];

  const newNamespace = (): string => {
    const name = freshName('five');
    namespaces.push(name);
    return name;
  };
  const imageOn = async (cluster: string, namespace: string): Promise<string | undefined> => {
    const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'web' };
    const live = await clients.get(cluster)?.get(ref);
    const spec = live?.['spec'] as
      { template: { spec: { containers: { image: string }[] } } } | undefined;
    return spec?.template.spec.containers[0]?.image;
  };
  const images = (namespace: string): Promise<(string | undefined)[]> =>
    Promise.all(rig().allClusters.map((cluster) => imageOn(cluster, namespace)));
  /** First and last write to the namespace's Deployments on some clusters, after some position in their logs. */
  const written = (
    namespace: string,
    clusters: readonly string[],
    since: ReadonlyMap<string, number>,
  ): { readonly first: string; readonly last: string } => {
    const times = clusters.flatMap((cluster) =>
      rig()
        .auditLog(cluster)
        .slice(since.get(cluster) ?? 0)
        .filter(
          ({ verb, objectRef }) =>
            verb === 'patch' &&
            objectRef?.resource === 'deployments' &&
            objectRef.namespace === namespace &&
            objectRef.subresource === undefined,
        )
        .map(({ requestReceivedTimestamp }) => requestReceivedTimestamp)
        .sort(),
    );
    times.sort();
    return { first: times[0] ?? '', last: times.at(-1) ?? '' };
  };
  const marks = (): ReadonlyMap<string, number> =>
    new Map(rig().allClusters.map((cluster) => [cluster, rig().auditLog(cluster).length]));
  const [canary, middle, rest] = [['member1'], ['member2', 'member3'], ['member4', 'member5']];

  /** `broken`: a cluster on which the pods never get ready. */
  const documents = (namespace: string, image: string, broken?: string): KubeObject[] => {
    const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }];
    const meta = { name: 'web', namespace };
    const policy = 'policy.karmada.io/v1alpha1';
    return [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: meta,
        spec: {
          replicas: 1,
          progressDeadlineSeconds: 6,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'web', image }] },
          },
        },
      },
      {
        apiVersion: policy,
        kind: 'PropagationPolicy',
        metadata: meta,
        spec: { resourceSelectors, placement: {} },
      },
      ...(broken === undefined
        ? []
        : [
            {
              apiVersion: policy,
              kind: 'OverridePolicy',
              metadata: meta,
              spec: {
                resourceSelectors,
                overrideRules: [
                  {
                    targetCluster: { clusterNames: [broken] },
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
                ],
              },
            },
          ]),
      {
        apiVersion: 'fleetwright.dev/v1alpha1',
        kind: 'Rollout',
        metadata: { name: 'waves' },
        spec: {
          onFailure: 'rollback',
          waves: [
            { name: 'canary', clusterAffinity: { clusterNames: canary }, soak: '1s' },
            {
              name: 'middle',
              clusterAffinity: { clusterNames: middle },
              maxConcurrent: 1,
              approval: true,
            },
            { name: 'rest', deadline: '40s' },
          ],
        },
      },
    ];
  };
  const fleet = (): string => printDocuments(rig().allClusters.map((name) => aCluster(name)));

  beforeAll(async () => {
    const connect = connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } });
    for (const cluster of rig().allClusters) clients.set(cluster, await connect(cluster));
  }, MINUTES);

  afterAll(async () => {
    await Promise.all(
      [...clients.values()].map(async (client) => {
        for (const name of namespaces)
          await client.delete({ apiVersion: 'v1', kind: 'Namespace', name });
        await client.close();
      }),
    );
  }, 2 * MINUTES);

  test(
    'by the command: held, approved, in order; a wave that fails takes the run back',
    async () => {
      const namespace = newNamespace();
      const folder = mkdtempSync(join(tmpdir(), 'fleetwright-five-'));
      const write = (image: string, broken?: string): void =>
        writeFileSync(
          join(folder, 'shop.yaml'),
          printDocuments(documents(namespace, image, broken)),
        );
      const flags = ['-f', 'shop.yaml', '--app', namespace, '--kubeconfig', rig().kubeconfig];
      const up = (...more: string[]) => fleetwright(folder, ['up', ...flags, '--yes', ...more]);
      writeFileSync(join(folder, 'fleet.yaml'), fleet());
      write('nginx:1');
      const start = marks();

      const held = await up();
      expect(held).toMatchObject({ code: 2 });
      expect(held.text).toContain('approve middle');
      expect(await images(namespace)).toEqual([
        'nginx:1',
        undefined,
        undefined,
        undefined,
        undefined,
      ]);

      const approved = await fleetwright(folder, ['approve', 'middle', ...flags, '--yes']);
      expect(approved).toMatchObject({ code: 0 });
      const done = await up();
      expect(done).toMatchObject({ code: 0 });
      expect(await images(namespace)).toEqual(Array.from({ length: 5 }, () => 'nginx:1'));
      const times = [canary, middle, rest].map((wave) => written(namespace, wave, start));
      expect(times[0]?.last.localeCompare(times[1]?.first ?? '')).toBeLessThan(0);
      expect(times[1]?.last.localeCompare(times[2]?.first ?? '')).toBeLessThan(0);

      write('nginx:2', 'member5');
      const failed = await up('--approve', 'middle');
      expect(failed.code).not.toBe(0);
      expect(failed.text).toContain('member5');
      expect(await images(namespace)).toEqual(Array.from({ length: 5 }, () => 'nginx:1'));
      rmSync(folder, { recursive: true, force: true });
    },
    6 * MINUTES,
  );

  describeWithPulumi('and Pulumi', (bin) => {
    let project: PulumiProject | undefined;
    afterAll(() => project?.remove());

    test(
      'by Pulumi: held, approved, in order; the wave that fails goes back',
      async () => {
        const namespace = newNamespace();
        const pulumi = (project = new PulumiProject(bin()));
        const write = (image: string, broken?: string): void =>
          pulumi.write('docs/shop.yaml', printDocuments(documents(namespace, image, broken)));
        pulumi.write('fleet.yaml', fleet());
        pulumi.write(
          'index.js',
          `const { FleetRelease } = require('fleetwright/pulumi');
new FleetRelease('${namespace}', { files: ['docs'], fleet: 'fleet.yaml', kubeconfig: ${JSON.stringify(rig().kubeconfig)}, lock: 'write' });
`,
        );
        write('nginx:1');
        expect(await pulumi.run(['stack', 'init', 'dev'])).toMatchObject({ code: 0 });
        const start = marks();

        const held = await pulumi.up();
        expect(held).toMatchObject({ code: 0 });
        const hash = /fleetwright:approve (middle@[0-9a-f]+)/.exec(held.text)?.[1] ?? '';
        expect(hash).not.toBe('');
        expect(await images(namespace)).toEqual([
          'nginx:1',
          undefined,
          undefined,
          undefined,
          undefined,
        ]);

        const set = await pulumi.run(['config', 'set', 'fleetwright:approve', hash]);
        expect(set).toMatchObject({ code: 0 });
        expect(await pulumi.up()).toMatchObject({ code: 0 });
        expect(await images(namespace)).toEqual(Array.from({ length: 5 }, () => 'nginx:1'));
        const times = [canary, middle, rest].map((wave) => written(namespace, wave, start));
        expect(times[0]?.last.localeCompare(times[1]?.first ?? '')).toBeLessThan(0);
        expect(times[1]?.last.localeCompare(times[2]?.first ?? '')).toBeLessThan(0);

        write('nginx:2', 'member5');
        await pulumi.run(['config', 'set', 'fleetwright:approve', 'middle']);
        const failed = await pulumi.up();
        expect(failed.code).not.toBe(0);
        expect(failed.text).toContain('member5');
        // In Pulumi the failed wave alone goes back.
        expect(await images(namespace)).toEqual([
          'nginx:2',
          'nginx:2',
          'nginx:2',
          'nginx:1',
          'nginx:1',
        ]);
      },
      6 * MINUTES,
    );
  });
});
