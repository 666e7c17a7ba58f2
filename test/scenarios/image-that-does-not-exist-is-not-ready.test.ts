import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aggregateStatus, interpreterFor, itemOf } from '../../lib/engine/interpret/index.js';
import {
  observe,
  runRollout,
  type TemplateObservation,
} from '../../lib/providers/rollout/index.js';
import {
  aDeployment,
  aFleet,
  aManifest,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
  type TestFleet,
} from '../providers/rollout/releases.js';

/*
 * karmada PR#2928, karmada#2218, #4866, kubefleet#558: a Deployment whose image cannot be pulled was called healthy, and a
 * generation observed that one cluster had not seen. Readiness needs this generation and as many available pods as wanted,
 * cluster by cluster.
 */
let fleet: TestFleet;
beforeAll(async () => {
  fleet = await aFleet('eu-1', 'us-1');
});
afterAll(() => fleet.close());

const CLUSTERS = ['eu-1', 'us-1'];
const planOf = (images: readonly string[], generation: number): ReturnType<typeof aPlan> =>
  aPlan(
    [aWave('all', CLUSTERS, { deadlineSeconds: 0.6 })],
    CLUSTERS.map((cluster, i) => {
      const web = aDeployment('web', { replicas: 1, image: images[i] ?? '' });
      return aRelease(cluster, [aNamespace(), aManifest(web, { generation })]);
    }),
  );
const look = async (plan: ReturnType<typeof aPlan>): Promise<TemplateObservation> => {
  const found = await observe(plan, fleet.connect, {
    status: (object) => itemOf({ cluster: '', object }, interpreterFor(object)).status,
    health: (object) => itemOf({ cluster: '', object }, interpreterFor(object)).health ?? 'Unknown',
  });
  return found.find(({ resource }) => resource.kind === 'Deployment') as TemplateObservation;
};

test('the cluster that cannot pull it is not ready, the other is, and each has its own generation', async () => {
  await runRollout(planOf(['nginx:1', 'nginx:1'], 1), fleet.connect, { keep: false });
  const broken = planOf(['nginx:2', 'nginx:does-not-exist'], 2);

  const { waves } = await runRollout(broken, fleet.connect, { keep: false });
  const { clusters } = await look(broken);

  expect(waves[0]?.phase).toBe('failed');
  expect(clusters).toMatchObject([
    { cluster: 'eu-1', ready: true, observedGeneration: 2 },
    { cluster: 'us-1', ready: false, observedGeneration: 2 },
  ]);
  // Seen, yet the old pod is all there is: that is what `available` counts.
  expect(clusters[1]?.waitingFor).toMatch(/old replicas?|replicas of the new revision|available/);
});

test('a cluster that has not seen the new generation keeps the aggregate back', async () => {
  const plan = planOf(['nginx:2', 'nginx:2'], 3);
  const half = aPlan([aWave('all', ['eu-1'])], plan.releases.slice(0, 1));
  await runRollout(half, fleet.connect, { keep: false });

  const { resource, clusters } = await look(plan);
  const [template] = plan.releases.flatMap(({ manifests }) =>
    manifests.filter((one) => one.resource.kind === 'Deployment'),
  );
  const status = aggregateStatus({
    template: template?.object ?? { ...resource, metadata: { name: resource.name } },
    generation: 3,
    members: clusters.map(({ cluster, object }) => ({
      cluster,
      ...(object !== undefined && { object }),
    })),
    interpreter: interpreterFor(resource),
    now: '2026-01-01T00:00:00Z',
  });

  expect(clusters.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  expect(status.observedGeneration).toBeLessThan(3);
  expect(status.behind).toEqual(['us-1']);
});
