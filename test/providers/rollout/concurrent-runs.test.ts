import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { connectKubeconfig, type ClusterClient } from '../../../lib/providers/cluster/index.js';
import { describeWithRig, freshName } from '../../rig/rig.js';
import { twoRuns } from './concurrent-runs.js';
import { aFleet, type TestFleet } from './releases.js';

jest.setTimeout(120_000);

describe('two rollouts at once on simulated clusters', () => {
  let fleet: TestFleet;
  let count = 0;
  beforeAll(async () => {
    fleet = await aFleet('eu-1', 'us-1');
  });
  afterAll(() => fleet.close());

  twoRuns(() => ({
    connect: fleet.connect,
    clusters: ['eu-1', 'us-1'],
    fresh: () => `app-${(count += 1)}`,
  }));
});

describeWithRig('two rollouts at once on real API servers', (rig) => {
  const clients = new Map<string, Promise<ClusterClient>>();
  const names: string[] = [];
  afterAll(async () => {
    for (const client of await Promise.all(clients.values())) {
      for (const name of names) await client.delete({ apiVersion: 'v1', kind: 'Namespace', name });
      await client.close();
    }
  });

  twoRuns(() => ({
    connect: (cluster) => {
      const open = connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } });
      const client = clients.get(cluster) ?? open(cluster);
      clients.set(cluster, client);
      return client;
    },
    clusters: ['member1', 'member2'],
    fresh: () => {
      const name = freshName('two-runs');
      names.push(name);
      return name;
    },
  }));
});
