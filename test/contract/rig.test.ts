import { afterAll, beforeAll } from '@jest/globals';

import { connectKubeconfig, type ClusterClient } from '../../lib/providers/cluster/index.js';
import { describeWithRig } from '../rig/rig.js';
import { clusterClientContract } from './cluster-client.js';

describeWithRig('the contract of a cluster, on real API servers', (rig) => {
  let client: ClusterClient;
  const openWith = (token: string): Promise<ClusterClient> =>
    connectKubeconfig({ kubeconfig: { text: rig().kubeconfigWith(token) } })('member1');
  beforeAll(async () => {
    client = await connectKubeconfig({ kubeconfig: { files: [rig().kubeconfig] } })('member1');
  });
  afterAll(() => client.close());

  clusterClientContract({
    client: () => client,
    nobody: () => openWith('no-such-token'),
    viewer: () => openWith(rig().viewerToken),
  });
});
