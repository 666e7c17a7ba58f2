import type { KubeObject } from '../../api/object.js';
import { groupOf } from '../../engine/object.js';
import type { Manifest } from '../../engine/plan.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';

const HPA = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' } as const;

/** Whether some autoscaler decides an object's replicas. */
export type IsAutoscaled = (object: KubeObject) => boolean;

/**
 * Find the autoscalers of a cluster that steer objects of this release: those of the release itself, and those that live
 * in its namespaces. No request when the release has nothing with replicas. Not being allowed to list them is no error:
 * then only the release's own count.
 */
export async function findAutoscaled(
  client: ClusterClient,
  manifests: readonly Manifest[],
): Promise<IsAutoscaled> {
  const namespaces = new Set(
    manifests.flatMap(({ object }) =>
      hasReplicas(object) ? [object.metadata.namespace ?? 'default'] : [],
    ),
  );
  if (namespaces.size === 0) return () => false;
  const planned = manifests.map(({ object }) => object).filter(({ kind }) => kind === HPA.kind);
  const live = await Promise.all([...namespaces].map((namespace) => listHpas(client, namespace)));
  const targets = new Set([...planned, ...live.flat()].map(targetKey));
  return (object) =>
    targets.has(
      keyOf(object.metadata.namespace, object.apiVersion, object.kind, object.metadata.name),
    );
}

function hasReplicas(object: KubeObject): boolean {
  const spec = object['spec'];
  return typeof spec === 'object' && spec !== null && 'replicas' in spec;
}

async function listHpas(client: ClusterClient, namespace: string): Promise<readonly KubeObject[]> {
  try {
    return await client.list(HPA, { namespace });
  } catch (error) {
    if (ProviderError.is(error) && (error.failure === 'forbidden' || error.failure === 'notServed'))
      return [];
    throw error;
  }
}

function targetKey(autoscaler: KubeObject): string {
  const spec = autoscaler['spec'] as
    | {
        readonly scaleTargetRef?: {
          readonly apiVersion?: string;
          readonly kind?: string;
          readonly name?: string;
        };
      }
    | undefined;
  const { apiVersion = '', kind = '', name = '' } = spec?.scaleTargetRef ?? {};
  return keyOf(autoscaler.metadata.namespace, apiVersion, kind, name);
}

function keyOf(namespace = 'default', apiVersion: string, kind: string, name = ''): string {
  return `${namespace}/${groupOf(apiVersion)}/${kind}/${name}`;
}
