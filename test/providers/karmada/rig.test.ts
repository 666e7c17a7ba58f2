import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import type { Plan } from '../../../lib/engine/plan.js';
import { connectKubeconfig, type ClusterClient } from '../../../lib/providers/cluster/index.js';
import { approveOnControlPlane, runKarmadaRollout } from '../../../lib/providers/karmada/index.js';
import { describeWithRig, freshName, type Rig } from '../../rig/rig.js';
import { aWave } from '../rollout/releases.js';
import { installKarmada } from './control-plane.js';
import {
  aConfigMap,
  aDeployment,
  aKarmadaPlan,
  aPolicy,
  followingConfigMap,
  withEnvironment,
} from './documents.js';
import { FakeKarmada } from './fake-karmada.js';

const HOST = 'member1';
const MEMBERS = ['member1', 'member2', 'member3'];

/** A control plane on one of the rig's servers, in a namespace of its own: `own` puts documents of `shop` there. */
async function aPlane(rig: Rig): Promise<{
  readonly namespace: string;
  readonly own: <T>(value: T) => T;
  readonly client: ClusterClient;
  readonly fake: FakeKarmada;
  readonly close: () => Promise<void>;
}> {
  const namespace = freshName('karmada');
  const client = await connectKubeconfig({ kubeconfig: { files: [rig.kubeconfig] } })(HOST);
  await installKarmada(client, [namespace], MEMBERS);
  const fake = new FakeKarmada(client, {
    server: rig.server(HOST),
    token: rig.adminToken,
    namespace,
  });
  fake.start();
  return {
    namespace,
    own: <T>(value: T): T =>
      JSON.parse(JSON.stringify(value).replaceAll('"shop"', `"${namespace}"`)) as T,
    client,
    fake,
    close: async () => {
      await fake.stop();
      await client.delete({ apiVersion: 'v1', kind: 'Namespace', name: namespace });
      await client.close();
    },
  };
}

describeWithRig('a control plane on a real API server', (rig) => {
  test('grows, steps and shrinks in the order that its audit log shows', async () => {
    const { namespace, own, client, fake, close } = await aPlane(rig());
    const up = (
      documents: readonly KubeObject[],
      shares: Readonly<Record<string, number>>,
      waves: Plan['waves'],
    ): ReturnType<typeof runKarmadaRollout> =>
      runKarmadaRollout(own(aKarmadaPlan(documents, { shares, waves })), own(documents), client, {
        phaseSeconds: 60,
      });
    try {
      const before = { member1: 2, member2: 2 };
      const first = [aPolicy(before), aDeployment('example/web:1', 4)];
      expect((await up(first, before, [aWave('all', ['member1', 'member2'])])).outcome).toBe(
        'done',
      );
      const from = rig().auditLog(HOST).length;
      const dispatched = fake.dispatches.length;

      const after = { member2: 2, member3: 2 };
      const second = [aPolicy(after), aDeployment('example/web:2', 4)];
      const waves = [
        aWave('new', ['member3'], { deadlineSeconds: 60 }),
        aWave('rest', ['member2', 'member1']),
      ];
      const report = await up(second, after, waves);

      expect(report).toMatchObject({ outcome: 'done', notDone: [], suspended: [] });
      expect(
        fake.dispatches
          .slice(dispatched)
          .map(({ cluster, image, deleted }) => [cluster, deleted ?? image]),
      ).toEqual([
        ['member3', 'example/web:2'],
        ['member2', 'example/web:2'],
        ['member1', true],
      ]);
      const writes = rig()
        .auditLog(HOST)
        .slice(from)
        .filter(({ verb, requestURI }) => verb === 'patch' && requestURI.includes(`/${namespace}/`))
        .filter(({ requestURI }) => !requestURI.includes('dryRun'))
        .flatMap(({ requestURI, objectRef }) => {
          const manager = new URL(requestURI, 'https://x').searchParams.get('fieldManager') ?? '';
          return manager.startsWith('fleetwright')
            ? [`${manager} ${objectRef?.resource ?? ''}`]
            : [];
        });
      expect(writes).toEqual([
        'fleetwright-rollout propagationpolicies',
        'fleetwright propagationpolicies',
        'fleetwright deployments',
        'fleetwright-rollout propagationpolicies',
        'fleetwright-rollout propagationpolicies',
        'fleetwright-rollout propagationpolicies',
        'fleetwright propagationpolicies',
        'fleetwright deployments',
        'fleetwright-rollout propagationpolicies',
        'fleetwright-rollout propagationpolicies',
      ]);
    } finally {
      await close();
    }
  }, 180_000);

  test('holds a dependency, waits for an approval, and goes back from a failed wave', async () => {
    const { namespace, own, client, fake, close } = await aPlane(rig());
    const documents = (image: string, level: string): readonly KubeObject[] => {
      const policy = aPolicy(undefined, { spec: { propagateDeps: true } });
      const annotations = { 'fleetwright.dev/hold-dependencies': 'true' };
      return own([
        { ...policy, metadata: { ...policy.metadata, annotations } },
        aConfigMap(level),
        withEnvironment(aDeployment(image), 'settings'),
      ]);
    };
    const planOf = (given: readonly KubeObject[], gate: Partial<Plan['waves'][number]['gate']>) => {
      const waves = ['member3', 'member2', 'member1'].map((name) =>
        aWave(name, [name], { deadlineSeconds: 60, ...(name === 'member2' && gate) }),
      );
      return own(followingConfigMap(aKarmadaPlan(given, { waves })));
    };
    let seen = 0;
    const arrived = (): readonly string[] => {
      const news = fake.dispatches.slice(seen);
      seen = fake.dispatches.length;
      return news.map(({ cluster, kind, image }) => `${cluster} ${image ?? kind}`);
    };
    try {
      const first = documents('example/web:1', '1');
      expect((await runKarmadaRollout(planOf(first, {}), first, client)).outcome).toBe('done');
      arrived();

      const second = documents('example/web:2', '2');
      const plan = planOf(second, { approval: true });
      const held = await runKarmadaRollout(plan, second, client);
      expect(held.heldBy).toEqual({ wave: 'member2', reason: 'approval' });
      expect([...arrived()].sort()).toEqual(['member3 ConfigMap', 'member3 example/web:2']);
      expect((await approveOnControlPlane(plan, second, 'member2', client)).failed).toEqual([]);
      expect((await runKarmadaRollout(plan, second, client)).outcome).toBe('done');
      expect(arrived().map((line) => line.split(' ')[0])).toEqual([
        'member2',
        'member2',
        'member1',
        'member1',
      ]);

      const third = documents('example/web:3', '3');
      fake.options.onDispatch = ({ cluster, image }) => {
        // The ConfigMap that goes along says nothing about the pods.
        if (cluster === 'member2' && image !== undefined)
          fake.options.neverReadyOn = new Set(image === 'example/web:3' ? ['member2'] : []);
      };
      const failed = await runKarmadaRollout(
        planOf(third, { deadlineSeconds: 5, onFailure: 'rollback' }),
        third,
        client,
      );
      expect(failed.outcome).toBe('failed');
      expect(failed.rollback).toMatchObject({ obstacles: [], report: { outcome: 'done' } });
      for (const member of MEMBERS) expect(fake.member(member, 'web')?.image).toBe('example/web:2');
      expect(arrived().filter((line) => line.startsWith('member1'))).toEqual([]);
      const config = await client.get({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        namespace,
        name: 'settings',
      });
      expect(config?.['data']).toEqual({ level: '2' });
    } finally {
      await close();
    }
  }, 180_000);
});
