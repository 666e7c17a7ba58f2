import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ClusterClient } from '../../../lib/providers/cluster/index.js';
import { connectKubeconfig } from '../../../lib/providers/cluster/index.js';
import { readKeptFleet, summarize } from '../../../lib/providers/rollout/index.js';
import { printDocuments } from '../../../lib/providers/source/index.js';
import { aCluster } from '../../builders.js';
import { describeWithPulumi, describeWithRig, freshName } from '../../rig/rig.js';
import { PulumiProject } from './project.js';

/** The real Pulumi CLI, the real language runtime, real API servers with real controllers. */
const MINUTES = 60_000;

interface Shop {
  readonly image?: string;
  readonly replicas?: number;
  readonly podAnnotations?: Record<string, string>;
  readonly overrides?: readonly object[];
  readonly secret?: string;
}

describeWithPulumi('pulumi', (bin) => {
  describeWithRig('on real API servers', (rig) => {
    const namespace = freshName('pulumi');
    let project: PulumiProject;
    const clients = new Map<string, ClusterClient>();

    const writeShop = ({
      image = 'nginx:1',
      replicas = 3,
      podAnnotations = {},
      overrides = [],
      secret = 'hunter2',
    }: Shop): void => {
      const labels = { app: 'web' };
      const selector = (kind: string, apiVersion: string, name: string): object => ({
        apiVersion,
        kind,
        name,
        namespace,
      });
      project.write(
        'docs/shop.yaml',
        printDocuments([
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name: 'web', namespace },
            spec: {
              replicas,
              progressDeadlineSeconds: 8,
              selector: { matchLabels: labels },
              template: {
                metadata: { labels, annotations: podAnnotations },
                spec: {
                  containers: [{ name: 'web', image, envFrom: [{ secretRef: { name: 'web' } }] }],
                },
              },
            },
          },
          {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { name: 'web', namespace },
            stringData: { password: secret },
          },
          {
            apiVersion: 'policy.karmada.io/v1alpha1',
            kind: 'PropagationPolicy',
            metadata: { name: 'web', namespace },
            spec: {
              propagateDeps: true,
              resourceSelectors: [selector('Deployment', 'apps/v1', 'web')],
              placement: {
                replicaScheduling: {
                  replicaSchedulingType: 'Divided',
                  replicaDivisionPreference: 'Weighted',
                },
              },
            },
          },
          ...(overrides.length === 0
            ? []
            : [
                {
                  apiVersion: 'policy.karmada.io/v1alpha1',
                  kind: 'OverridePolicy',
                  metadata: { name: 'web', namespace },
                  spec: {
                    resourceSelectors: [selector('Deployment', 'apps/v1', 'web')],
                    overrideRules: overrides,
                  },
                },
              ]),
          {
            apiVersion: 'fleetwright.dev/v1alpha1',
            kind: 'Rollout',
            metadata: { name: 'web', namespace },
            spec: {
              waves: [
                {
                  name: 'canary',
                  clusterAffinity: { clusterNames: ['member1', 'member2'] },
                  deadline: '45s',
                },
                { name: 'rest' },
              ],
            },
          },
        ]),
      );
    };
    const liveImage = async (cluster: string): Promise<string | undefined> => {
      const live = await clients
        .get(cluster)
        ?.get({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'web' });
      const spec = live?.['spec'] as
        { template: { spec: { containers: { image: string }[] } } } | undefined;
      return spec?.template.spec.containers[0]?.image;
    };

    /** Somebody edits the image by hand, or lets go of it. */
    const edit = async (image: string | undefined): Promise<void> => {
      const spec = { template: { spec: { containers: [{ name: 'web', image }] } } };
      await clients.get('member2')?.apply(
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'web', namespace },
          ...(image !== undefined && { spec }),
        },
        { force: true, fieldManager: 'somebody' },
      );
    };

    beforeAll(async () => {
      project = new PulumiProject(bin());
      const connect = connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } });
      for (const cluster of rig().clusters) clients.set(cluster, await connect(cluster));
      project.write('fleet.yaml', printDocuments(rig().clusters.map((name) => aCluster(name))));
      project.write(
        'index.js',
        `const { FleetRelease } = require('fleetwright/pulumi');
const release = new FleetRelease('${namespace}', { files: ['docs'], fleet: 'fleet.yaml', kubeconfig: ${JSON.stringify(rig().kubeconfig)}, lock: process.env.LOCK || 'write', acknowledge: (process.env.ACKNOWLEDGE || '').split(',') });
exports.observedGeneration = release.observedGeneration;
exports.status = release.status;
`,
      );
      writeShop({});
      expect((await project.run(['stack', 'init', 'dev'])).code).toBe(0);
    }, 5 * MINUTES);

    afterAll(async () => {
      await Promise.all(
        [...clients.values()].map(async (client) => {
          await client.delete({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
          await client.close();
        }),
      );
      project.remove();
    }, MINUTES);

    test(
      'preview shows the plan with reasons and changes nothing',
      async () => {
        const { code, text } = await project.run(['preview', '--diff']);

        expect(text).toContain(`Deployment ${namespace}/web`);
        expect(text).toContain('member1');
        expect(code).toBe(0);
        expect(await liveImage('member1')).toBeUndefined();
      },
      3 * MINUTES,
    );

    test(
      'up applies wave by wave and ends when all clusters have observed the generation',
      async () => {
        const { code, text } = await project.up();

        expect(text).not.toContain('hunter2');
        expect(code).toBe(0);
        expect(await project.outputs()).toMatchObject({
          observedGeneration: { [`Deployment ${namespace}/web`]: 1 },
        });
        expect(await Promise.all(rig().clusters.map(liveImage))).toEqual([
          'nginx:1',
          'nginx:1',
          'nginx:1',
        ]);
      },
      3 * MINUTES,
    );

    test(
      'state holds no code, no secret in clear and no live object',
      async () => {
        const state = await project.state();

        expect(state).not.toContain('hunter2');
        expect(state).not.toContain(Buffer.from('hunter2').toString('base64'));
        expect(state).not.toContain('resourceVersion');
        expect(state).not.toContain('managedFields');
        expect(state.match(/"__provider": "[^"]{0,100}"/g)?.length).toBeGreaterThan(5);
        expect(state.match(/"__provider": "[^"]{101,}"/g)).toBeNull();
      },
      MINUTES,
    );

    test(
      'up again changes nothing',
      async () => {
        const { code, text } = await project.up();

        expect(text).toMatch(/Resources:\n\s+\d+ unchanged/);
        expect(code).toBe(0);
      },
      3 * MINUTES,
    );

    test(
      'a frozen lock refuses a change before anything is registered',
      async () => {
        writeShop({ image: 'nginx:2' });

        const { code, text } = await project.up([], { env: { LOCK: 'frozen' } });

        expect(text).toContain('LOCK_WOULD_CHANGE');
        expect(code).not.toBe(0);
        expect(await liveImage('member1')).toBe('nginx:1');
      },
      3 * MINUTES,
    );

    test(
      'a changed image is shown as a diff and reaches the waves in order',
      async () => {
        writeShop({ image: 'nginx:2' });
        const preview = await project.run(['preview', '--diff']);
        const before = new Map(
          rig().clusters.map((cluster) => [cluster, rig().auditLog(cluster).length]),
        );

        const { code } = await project.up();

        expect(preview.text).toMatch(/image\s*: "nginx:1" => "nginx:2"/);
        expect(code).toBe(0);
        expect(await project.outputs()).toMatchObject({
          observedGeneration: { [`Deployment ${namespace}/web`]: 2 },
        });
        // The servers' own logs: nothing was written to the later wave before the first one had it.
        const writes = rig().clusters.map((cluster) =>
          rig()
            .auditLog(cluster)
            .slice(before.get(cluster))
            .filter(
              (e) =>
                e.verb === 'patch' &&
                e.objectRef?.namespace === namespace &&
                e.objectRef.resource === 'deployments',
            )
            .map((e) => e.requestReceivedTimestamp),
        );
        const [first = [], second = [], last = []] = writes;
        expect([first.length, second.length, last.length].every((n) => n > 0)).toBe(true);
        expect([...first, ...second].every((time) => time < (last[0] ?? ''))).toBe(true);
      },
      4 * MINUTES,
    );

    test(
      'refresh finds what somebody edited by hand, and up names who owns it',
      async () => {
        await edit('nginx:edited');

        const refresh = await project.run(['refresh', '--yes', '--skip-preview']);
        const state = await project.state();
        const { code, text } = await project.up();

        expect(refresh.code).toBe(0);
        expect(state).toContain('drifted');
        expect(state).toMatch(/differs at \.spec\.template\.spec\.containers/);
        expect(text).toContain('somebody');
        expect([code === 0, await liveImage('member2')]).toEqual([false, 'nginx:edited']);
        // They put it back and let go of it: the field is ours again.
        await edit('nginx:2');
        expect((await project.up()).code).toBe(0);
        await edit(undefined);
        expect([(await project.up()).code, await liveImage('member2')]).toEqual([0, 'nginx:2']);
      },
      6 * MINUTES,
    );

    test(
      'a wave that fails lets its other cluster finish and leaves the later wave alone; the next up resumes',
      async () => {
        writeShop({
          image: 'nginx:3',
          secret: 'correct-horse',
          overrides: [
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
          ],
        });

        const preview = await project.run(['preview', '--diff']);
        const failing = await project.up(['--json']);
        const images = await Promise.all(rig().clusters.map(liveImage));
        writeShop({ image: 'nginx:3', secret: 'correct-horse' });
        const resumed = await project.up();
        const kept = summarize(
          await readKeptFleet({ application: namespace }, rig().clusters, async (cluster) => {
            const client = clients.get(cluster);
            if (client === undefined) throw new RangeError(cluster);
            return client;
          }),
        );

        expect(failing.code).not.toBe(0);
        expect(failing.text).toMatch(/wave canary did not pass: 1 of 2 clusters failed/);
        expect(failing.text).toContain('member2');
        expect(images).toEqual(['nginx:3', 'nginx:3', 'nginx:2']);
        expect(preview.code).toBe(0);
        // Only what went through to its end is kept.
        expect(kept.map(({ revision, clusters }) => [revision, clusters])).toContainEqual([
          1,
          [...rig().clusters],
        ]);
        expect(kept[0]?.clusters).toEqual([...rig().clusters]);
        expect([resumed.code, await liveImage('member3')]).toEqual([0, 'nginx:3']);
      },
      8 * MINUTES,
    );

    test(
      'the guard refuses an older lock',
      async () => {
        const lock = project.read('fleet.lock.yaml');
        project.write(
          'fleet.lock.yaml',
          lock.replace(/^serial: (\d+)$/m, (_, n: string) => `serial: ${Number(n) - 2}`),
        );

        const { code, text } = await project.up();

        project.write('fleet.lock.yaml', lock);
        expect(text).toContain('LOCK_OUTDATED');
        expect(code).not.toBe(0);
      },
      3 * MINUTES,
    );

    test(
      'a killed engine stops the provider, and the next up completes',
      async () => {
        writeShop({ image: 'nginx:4', podAnnotations: { 'rig/ready-after': '6s' } });

        await project.up([], {
          onText: (text, kill) => {
            if (/Release .*(available replicas|replicas of the new revision)/.test(text)) kill();
          },
        });
        // The orphaned provider must notice and stop: nothing may reach the later wave any more.
        expect(await liveImage('member3')).toBe('nginx:3');
        const patience = Date.now() + 30_000;
        while (project.processes().length > 0 && Date.now() < patience)
          await new Promise((wake) => setTimeout(wake, 200));
        expect(project.processes()).toEqual([]);
        await project.run(['cancel', '--yes']);
        const resumed = await project.up();

        if (resumed.code !== 0) throw new Error(resumed.text);
        expect(await Promise.all(rig().clusters.map(liveImage))).toEqual([
          'nginx:4',
          'nginx:4',
          'nginx:4',
        ]);
      },
      8 * MINUTES,
    );

    test(
      'a plan with errors throws before anything is registered, so nothing is deleted',
      async () => {
        const good = project.read('docs/shop.yaml');
        project.write(
          'docs/shop.yaml',
          good.replace('kind: PropagationPolicy', 'kind: PropagationPolicyy'),
        );

        const { code, text } = await project.up();

        project.write('docs/shop.yaml', good);
        expect(text).toContain('nothing is registered');
        expect(code).not.toBe(0);
        expect(await liveImage('member1')).toBe('nginx:4');
      },
      3 * MINUTES,
    );

    test(
      'a cluster that left is refused first, then kept as orphaned and left alone, and taken back when it returns',
      async () => {
        const fleet = project.read('fleet.yaml');
        const stay = rig().clusters.filter((name) => name !== 'member3');
        project.write('fleet.yaml', printDocuments(stay.map((name) => aCluster(name))));
        const before = rig().auditLog('member3').length;

        const refused = await project.up();
        const left = await project.up([], { env: { ACKNOWLEDGE: 'FLEET_SHRANK' } });
        const again = await project.up();
        const written = rig()
          .auditLog('member3')
          .slice(before)
          .filter(({ objectRef }) => objectRef?.namespace === namespace)
          .filter(({ objectRef }) => objectRef?.resource === 'deployments')
          .filter(({ verb }) => verb === 'patch' || verb === 'delete');
        const state = await project.state();
        project.write('fleet.yaml', fleet);
        // Assignments stay where they are until something asks for a new division.
        writeShop({ image: 'nginx:4', replicas: 6 });
        const back = await project.up();

        expect([refused.code === 0, refused.text.includes('FLEET_SHRANK')]).toEqual([false, true]);
        expect([left.code, again.code]).toEqual([0, 0]);
        expect(state).toMatch(/"orphaned": true/);
        expect(written).toEqual([]);
        expect(await liveImage('member3')).toBe('nginx:4');
        expect(back.code).toBe(0);
        expect(await project.state()).not.toMatch(/"orphaned": true/);
      },
      6 * MINUTES,
    );

    test(
      'destroy removes everything of ours',
      async () => {
        const { code } = await project.run(['destroy', '--yes', '--skip-preview']);

        expect(code).toBe(0);
        expect(await Promise.all(rig().clusters.map(liveImage))).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
      },
      4 * MINUTES,
    );

    test('through all of it no Secret stood in clear: in no output, event, state, backup or history', () => {
      for (const password of ['hunter2', 'correct-horse'])
        for (const form of [password, Buffer.from(password).toString('base64')]) {
          expect(project.said.includes(form)).toBe(false);
          expect(project.backend().includes(form)).toBe(false);
        }
      expect(project.backend()).toContain('fleetwright:Release');
    });
  });
});
