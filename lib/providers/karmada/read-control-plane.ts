import type { KubeObject } from '../../api/object.js';
import type { ClusterClient } from '../cluster/client.js';

/** The bindings that a plan starts from: what Karmada has decided so far. Sorted as the server lists them. */
export async function readControlPlane(client: ClusterClient): Promise<readonly KubeObject[]> {
  const kinds = ['ResourceBinding', 'ClusterResourceBinding'].map((kind) =>
    client.list({ apiVersion: 'work.karmada.io/v1alpha2', kind }),
  );
  return (await Promise.all(kinds)).flat();
}
