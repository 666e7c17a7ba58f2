import type { KubeObject } from '../../api/object.js';
import { protectionOf } from '../../engine/rollout/index.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';

/** Why an object must not be deleted; `undefined`: it may. */
export type AskProtection = (object: KubeObject) => Promise<string | undefined>;

/** Deletion protection on one cluster, by the object's own label or its namespace's; each namespace is read once. */
export function protectionOn(client: ClusterClient): AskProtection {
  const namespaces = new Map<string, Promise<KubeObject | undefined>>();
  return async (object) => {
    const { namespace } = object.metadata;
    if (namespace === undefined) return protectionOf(object, undefined);
    const known = namespaces.get(namespace) ?? readNamespace(client, namespace);
    namespaces.set(namespace, known);
    return protectionOf(object, await known);
  };
}

async function readNamespace(client: ClusterClient, name: string): Promise<KubeObject | undefined> {
  try {
    return await client.get({ apiVersion: 'v1', kind: 'Namespace', name });
  } catch (error) {
    // Who may not read namespaces goes by the labels of the objects.
    if (ProviderError.is(error) && error.failure === 'forbidden') return undefined;
    throw error;
  }
}
