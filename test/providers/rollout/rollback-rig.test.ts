import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { refOf } from '../../../lib/engine/object.js';
import type { Plan } from '../../../lib/engine/plan.js';
import {
  connectKubeconfig,
  type ClusterClient,
  type Connect,
} from '../../../lib/providers/cluster/index.js';
import {
  destroyRelease,
  prepareRollback,
  runRollout,
} from '../../../lib/providers/rollout/index.js';
import { describeWithRig, freshName } from '../../rig/rig.js';
import { aConfigMap, aDeployment, aNamespace, aPlan, aRelease, aWave } from './releases.js';

const minute = 60_000;
const CLUSTERS = ['member1', 'member2'] as const;
const [FIRST, SECOND] = CLUSTERS;

describeWithRig('rollback on real API servers', (rig) => {
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

  test(
    'a failed wave takes the run back, last wave first; asked again, the state before comes back',
    async () => {
      const name = freshName('rollback');
      const web = (image: string, fails: boolean): KubeObject =>
        aDeployment('web', {
          namespace: name,
          image,
          ...(fails && { annotations: { 'rig/never-ready': 'ImagePullBackOff' } }),
        });
      const plan = (image: string, broken?: string): Plan => ({
        ...aPlan(
          CLUSTERS.map((cluster) =>
            aWave(`wave-${cluster}`, [cluster], {
              deadlineSeconds: broken === undefined ? 120 : 15,
              onFailure: 'rollback',
            }),
          ),
          CLUSTERS.map((cluster) =>
            aRelease(
              cluster,
              [
                aNamespace(name),
                web(image, cluster === broken),
                ...(image === 'nginx:1.27' ? [] : [aConfigMap('surplus', {}, name)]),
              ],
              { application: name },
            ),
          ),
        ),
        application: name,
      });
      const images = (): Promise<readonly unknown[]> =>
        Promise.all(
          CLUSTERS.map(async (cluster) => imageOf(await (await connect(cluster)).get(WEB(name)))),
        );
      const surplus = async (): Promise<readonly boolean[]> =>
        Promise.all(
          CLUSTERS.map(async (cluster) => {
            const found = await (
              await connect(cluster)
            ).get(refOf(aConfigMap('surplus', {}, name)));
            return found !== undefined;
          }),
        );
      const lastPatch = (cluster: string): string =>
        rig()
          .auditLog(cluster)
          .filter(
            ({ verb, stage, objectRef, requestURI }) =>
              verb === 'patch' &&
              stage === 'ResponseComplete' &&
              objectRef?.namespace === name &&
              requestURI.includes('/deployments/web?') &&
              requestURI.includes('fieldManager=fleetwright'),
          )
          .at(-1)?.requestReceivedTimestamp ?? 'never';

      expect((await runRollout(plan('nginx:1.27'), connect)).outcome).toBe('done');
      const failed = await runRollout(plan('nginx:1.28', SECOND), connect);

      expect(failed).toMatchObject({
        outcome: 'failed',
        rollback: { revision: 1, obstacles: [], report: { outcome: 'done', notDone: [] } },
      });
      expect(await images()).toEqual(['nginx:1.27', 'nginx:1.27']);
      expect(await surplus()).toEqual([false, false]);
      // The servers' own clocks: the wave that came last went back first.
      expect(lastPatch(SECOND) < lastPatch(FIRST)).toBe(true);

      expect((await runRollout(plan('nginx:1.29'), connect)).outcome).toBe('done');
      expect(await surplus()).toEqual([true, true]);
      const back = await prepareRollback(
        { application: name, clusters: CLUSTERS, now: '2026-01-01T00:00:00Z' },
        connect,
      );
      const report = await runRollout(back?.plan ?? plan('nginx:1.29'), connect);

      expect(back?.revision).toBe(1);
      expect(report.outcome).toBe('done');
      expect(await images()).toEqual(['nginx:1.27', 'nginx:1.27']);
      expect(await surplus()).toEqual([false, false]);

      for (const cluster of CLUSTERS) {
        const gone = await destroyRelease({ application: name, cluster }, await connect(cluster), {
          acknowledge: [`Namespace/${name}`],
        });
        expect(gone.outcome).toBe('done');
      }
    },
    5 * minute,
  );
});

const WEB = (
  namespace: string,
): { apiVersion: string; kind: string; name: string; namespace: string } => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name: 'web',
  namespace,
});

function imageOf(object: KubeObject | undefined): unknown {
  const spec = object?.['spec'] as
    { template: { spec: { containers: { image: string }[] } } } | undefined;
  return spec?.template.spec.containers[0]?.image;
}
