import { describe, expect, jest, test } from '@jest/globals';
import type { Plan, Release } from '../../../lib/engine/plan.js';
import { runRollout, unreadyClusters } from '../../../lib/providers/rollout/index.js';
import { inWorkOrder } from '../../../lib/providers/rollout/work-order.js';
import {
  aConfigMap,
  aDeployment,
  aFleet,
  aManifest,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
} from './releases.js';

jest.setTimeout(60_000);

const unchanged = (cluster: string): Release =>
  aRelease(cluster, [aManifest(aConfigMap('env'), { action: 'none' })]);
const changed = (cluster: string): Release =>
  aRelease(cluster, [aManifest(aConfigMap('env'), { action: 'update' })]);

describe('the order of work in a wave', () => {
  test('what changes, what was left unready, what is only looked at; each in the order of the wave', () => {
    const wave = aWave('all', ['f', 'e', 'd', 'c', 'b', 'a']);
    const releases = ['a', 'b', 'c', 'd', 'e', 'f'].map((cluster) =>
      ['b', 'd'].includes(cluster) ? changed(cluster) : unchanged(cluster),
    );

    const [ordered] = inWorkOrder(aPlan([wave], releases), new Set(['a', 'd', 'e']));

    expect(ordered?.clusters).toEqual(['d', 'b', 'e', 'a', 'f', 'c']);
  });

  test('a change lands before clusters without one are looked at', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const fleet = await aFleet(...names);
    try {
      const release = (cluster: string, action: 'none' | 'update', image: string): Release =>
        aRelease(cluster, [
          aManifest(aNamespace(), { action }),
          aManifest(aDeployment('web', { image }), { action }),
        ]);
      const plan = (image: string): Plan =>
        aPlan(
          [aWave('all', names, {}, 1)],
          names.map((cluster) =>
            release(
              cluster,
              cluster === 'd' ? 'update' : 'none',
              cluster === 'd' ? image : 'web:1',
            ),
          ),
        );
      await runRollout(plan('web:1'), fleet.connect);
      const started: string[] = [];

      await runRollout(plan('web:2'), fleet.connect, {
        onEvent: (event) => {
          if (event.kind === 'cluster' && event.phase === 'applying') started.push(event.cluster);
        },
      });

      expect(started).toEqual(['d', 'a', 'b', 'c']);
    } finally {
      await fleet.close();
    }
  });

  test('unready is a cluster where something is missing or not rolled out; one that was not read is not', () => {
    const web = aDeployment('web');
    const plan = aPlan(
      [aWave('all', ['ready', 'missing', 'waiting', 'unread'])],
      ['ready', 'missing', 'waiting', 'unread'].map((cluster) => aRelease(cluster, [web])),
    );
    const status = {
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
    };
    const metadata = { ...web.metadata, generation: 1 };

    const found = unreadyClusters(plan, {
      members: {
        ready: [{ ...web, metadata, status }],
        missing: [],
        waiting: [
          { ...web, metadata, status: { ...status, readyReplicas: 1, availableReplicas: 1 } },
        ],
      },
    });

    expect([...found]).toEqual(['missing', 'waiting']);
  });
});
