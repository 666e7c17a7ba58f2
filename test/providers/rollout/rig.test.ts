import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { compareStrings } from '../../../lib/engine/compare.js';
import type { Plan, Release } from '../../../lib/engine/plan.js';
import {
  connectKubeconfig,
  type ClusterClient,
  type Connect,
} from '../../../lib/providers/cluster/index.js';
import {
  applyRelease,
  destroyRelease,
  readLive,
  runRollout,
} from '../../../lib/providers/rollout/index.js';
import { describeWithRig, freshName, type AuditEvent } from '../../rig/rig.js';
import {
  aConfigMap,
  aDeployment,
  aManifest,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  phasesOf,
} from './releases.js';

const minute = 60_000;
const [FIRST, SECOND, LATER] = ['member1', 'member2', 'member3'] as const;

describeWithRig('rollout on real API servers', (rig) => {
  const clients = new Map<string, ClusterClient>();
  let connect: Connect;

  beforeAll(() => {
    const open = connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } });
    connect = async (cluster) => {
      const client = clients.get(cluster) ?? (await open(cluster));
      clients.set(cluster, client);
      return client;
    };
  });
  afterAll(async () => {
    for (const client of clients.values()) await client.close();
  });

  /** Writes below a namespace that the server itself recorded, as `patch deployments web`. */
  const writesTo = (cluster: string, namespace: string): readonly string[] =>
    rig()
      .auditLog(cluster)
      .filter(
        (event) =>
          isWrite(event) &&
          event.objectRef?.namespace === namespace &&
          event.user.username === admin(),
      )
      .map(
        ({ verb, objectRef }) => `${verb} ${objectRef?.resource ?? ''} ${objectRef?.name ?? ''}`,
      );
  const admin = (): string => {
    const own = rig()
      .auditLog(FIRST)
      .find(({ requestURI }) => requestURI.includes('fieldManager=fleetwright'));
    return own?.user.username ?? '';
  };

  test(
    'a failing image in one of two clusters: the other finishes, the later wave is untouched, the next run continues',
    async () => {
      const name = freshName('rollout');
      const plan = (image: (cluster: string) => string, deadlineSeconds: number): Plan =>
        aPlan(
          [
            aWave('canary', [FIRST, SECOND], { deadlineSeconds }),
            aWave('rest', [LATER], { deadlineSeconds: 120 }),
          ],
          [FIRST, SECOND, LATER].map((cluster) => release(cluster, name, image(cluster))),
        );
      const good = plan(() => 'nginx:1.29', 120);
      const bad = plan((cluster) => (cluster === SECOND ? 'broken' : 'nginx:1.29'), 15);

      const first = await runRollout(bad, connect);

      expect(phasesOf(first)).toEqual({ [FIRST]: 'ready', [SECOND]: 'failed', [LATER]: 'waiting' });
      expect(first.notDone).toEqual([
        { cluster: SECOND, wave: 'canary', why: expect.stringContaining('ImagePullBackOff') },
        { cluster: LATER, wave: 'rest', why: 'untouched: wave "canary" has not passed' },
      ]);
      expect(writesTo(FIRST, name)).toContain('patch deployments web');
      expect(writesTo(LATER, name)).toEqual([]);

      const written = writesTo(FIRST, name).length;
      const second = await runRollout(good, connect);

      expect(second).toMatchObject({ outcome: 'done', notDone: [] });
      expect(writesTo(FIRST, name)).toHaveLength(written);
      expect(writesTo(LATER, name)).toContain('patch deployments web');
      // The servers' own clocks: nothing was written there before the canary's last write.
      expect(
        firstWrite(rig().auditLog(LATER), name) > lastPatch(rig().auditLog(SECOND), name),
      ).toBe(true);

      await Promise.all(
        good.releases.map(async (one) => {
          const gone = await destroyRelease(one, await connect(one.cluster), {
            acknowledge: [`Namespace/${name}`],
          });
          expect(gone).toMatchObject({ outcome: 'done', failures: [] });
        }),
      );
      expect(await (await connect(FIRST)).get({ ...WEB, namespace: name })).toBeUndefined();
    },
    5 * minute,
  );

  test(
    'an autoscaler is read in the version that the plan has, and is no surplus in the one that the server lists first',
    async () => {
      const name = freshName('versions');
      const web = aDeployment('web', { namespace: name });
      const autoscaler: KubeObject = {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'web', namespace: name },
        spec: {
          minReplicas: 2,
          maxReplicas: 4,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        },
      };
      const one = aRelease(FIRST, [aNamespace(name), web, autoscaler], { application: name });
      await applyRelease(one, await connect(FIRST));

      const resources = one.manifests.map(({ resource }) => resource);
      const query = { cluster: FIRST, resources };
      const { live } = await readLive({ application: name }, [query], connect);

      const found = live.members[FIRST]?.filter(({ kind }) => kind === autoscaler.kind);
      expect(found?.map(({ apiVersion }) => apiVersion)).toEqual(['autoscaling/v2']);
      await destroyRelease(one, await connect(FIRST), { acknowledge: [`Namespace/${name}`] });
    },
    2 * minute,
  );

  test(
    'a field of another manager gives a conflict that names it, and nothing of the later ranks is written',
    async () => {
      const name = freshName('conflict');
      const client = await connect(FIRST);
      const objects = (mode: string): readonly KubeObject[] => [
        aNamespace(name),
        aConfigMap('env', { MODE: mode }, name),
        aDeployment('web', { namespace: name }),
      ];
      await applyRelease(aRelease(FIRST, objects('a').slice(0, 2), { application: name }), client);
      await client.apply(aConfigMap('env', { MODE: 'theirs' }, name), {
        fieldManager: 'web-operator',
        force: true,
      });

      const result = await applyRelease(
        aRelease(FIRST, objects('b'), { application: name }),
        client,
      );

      expect(result.failures).toEqual([
        {
          code: 'APPLY_CONFLICT',
          resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: name, name: 'env' },
          message: expect.stringContaining('"web-operator" on .data.MODE'),
        },
      ]);
      expect(writesTo(FIRST, name).filter((write) => write.includes('deployments'))).toEqual([]);
    },
    minute,
  );

  test(
    'an object of another manager is left alone (Abort), and adopted with its pods (Overwrite)',
    async () => {
      const name = freshName('adopt');
      const client = await connect(FIRST);
      await client.apply(aNamespace(name), { fieldManager: 'kubectl' });
      const theirs = aDeployment('web', { namespace: name });
      const before = await client.apply(theirs, { fieldManager: 'kubectl' });
      await expectPods(client, name, 2);
      const pods = await podsOf(client, name);
      const ours = (conflictResolution: 'Abort' | 'Overwrite'): Release =>
        aRelease(FIRST, [aManifest(theirs, { conflictResolution })], { application: name });

      const refused = await applyRelease(ours('Abort'), client);
      const untouched = await client.get({ ...WEB, namespace: name });
      const adopted = await applyRelease(ours('Overwrite'), client, { deadlineSeconds: 60 });
      const after = await client.get({ ...WEB, namespace: name });

      expect(refused.failures).toMatchObject([
        { code: 'APPLY_CONFLICT', message: expect.stringContaining('"kubectl"') },
      ]);
      expect(untouched?.metadata.labels).toEqual(before.metadata.labels);
      expect(adopted.outcome).toBe('ready');
      // Same template: the pods stay.
      expect(after?.metadata.uid).toBe(before.metadata.uid);
      expect(await podsOf(client, name)).toEqual(pods);
    },
    2 * minute,
  );

  test(
    'replicas change hands without a dip when an autoscaler comes along',
    async () => {
      const name = freshName('scaled');
      const client = await connect(FIRST);
      const release = (replicas: number, ...more: readonly KubeObject[]): Release =>
        aRelease(
          FIRST,
          [aNamespace(name), aDeployment('web', { namespace: name, replicas }), ...more],
          { application: name },
        );
      await applyRelease(release(3), client, { deadlineSeconds: 60 });
      const before = await client.get({ ...WEB, namespace: name });
      const sets = await replicaSetsOf(client, name);

      const result = await applyRelease(release(5, autoscaler(name)), client, {
        mode: 'settle',
        deadlineSeconds: 60,
      });
      const after = await client.get({ ...WEB, namespace: name });

      expect(result.outcome).toBe('ready');
      expect(replicasOf(before)).toBe(3);
      expect(replicasOf(after)).toBe(3);
      // A ReplicaSet that had been told a smaller number, even for a moment, would have a higher generation.
      expect(await replicaSetsOf(client, name)).toEqual(sets);
    },
    2 * minute,
  );
});

const WEB = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } as const;

function release(cluster: string, name: string, image: string): Release {
  const broken =
    image === 'broken' ? { annotations: { 'rig/never-ready': 'ImagePullBackOff' } } : {};
  const web = aDeployment('web', { namespace: name, image, ...broken });
  return aRelease(cluster, [aNamespace(name), aConfigMap('env', { MODE: 'a' }, name), web], {
    application: name,
  });
}

function autoscaler(namespace: string): KubeObject {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace },
    spec: {
      minReplicas: 2,
      maxReplicas: 9,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    },
  };
}

function replicasOf(object: KubeObject | undefined): unknown {
  return (object?.['spec'] as { replicas?: number } | undefined)?.replicas;
}

const POD = { apiVersion: 'v1', kind: 'Pod' } as const;

async function podsOf(client: ClusterClient, namespace: string): Promise<readonly string[]> {
  return (await client.list(POD, { namespace }))
    .map(({ metadata }) => metadata.uid ?? '')
    .sort(compareStrings);
}

/** Until the controllers have made that many pods. */
async function expectPods(client: ClusterClient, namespace: string, wanted: number): Promise<void> {
  const enough = new AbortController();
  const pods = new Set<unknown>();
  for await (const event of client.watch(POD, { namespace }, enough.signal)) {
    for (const { metadata } of event.type === 'LISTED' ? event.objects : [event.object])
      pods.add(metadata.uid);
    if (pods.size >= wanted) enough.abort();
  }
}

async function replicaSetsOf(
  client: ClusterClient,
  namespace: string,
): Promise<readonly unknown[]> {
  const sets = await client.list({ apiVersion: 'apps/v1', kind: 'ReplicaSet' }, { namespace });
  return sets.map(({ metadata }) => [metadata.uid, metadata.generation]);
}

function isWrite({ verb, stage }: AuditEvent): boolean {
  return stage === 'ResponseComplete' && ['create', 'update', 'patch', 'delete'].includes(verb);
}

function firstWrite(log: readonly AuditEvent[], namespace: string): string {
  const first = log.find((event) => isWrite(event) && event.objectRef?.namespace === namespace);
  return first?.requestReceivedTimestamp ?? 'never';
}

function lastPatch(log: readonly AuditEvent[], namespace: string): string {
  const patches = log.filter(
    ({ verb, objectRef }) =>
      verb === 'patch' &&
      objectRef?.namespace === namespace &&
      objectRef.name === 'web' &&
      objectRef.subresource === undefined,
  );
  return patches.at(-1)?.stageTimestamp ?? 'never';
}
