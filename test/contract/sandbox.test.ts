import { afterAll, beforeAll, describe } from '@jest/globals';

import { connectKubeconfig, type ClusterClient } from '../../lib/providers/cluster/index.js';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { clusterClientContract } from './cluster-client.js';

describe('the contract of a cluster, in the sandbox', () => {
  let sandbox: Sandbox;
  let client: ClusterClient;
  const openWith = (kubeconfig: string): Promise<ClusterClient> =>
    connectKubeconfig({ kubeconfig: { text: kubeconfig } })('member1');
  beforeAll(async () => {
    sandbox = await startSandbox({ clusters: [{ name: 'member1' }] });
    client = await openWith(sandbox.kubeconfig);
  });
  afterAll(async () => {
    await client.close();
    await sandbox.close();
  });

  // The sandbox authenticates and does not authorize: no viewer.
  clusterClientContract({
    client: () => client,
    nobody: () =>
      openWith(sandbox.kubeconfig.replaceAll(sandbox.cluster('member1').token, 'no-such-token')),
  });
});
