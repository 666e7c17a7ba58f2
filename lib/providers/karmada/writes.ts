import type { KubeObject } from '../../api/object.js';
import { isChange } from '../../engine/claim/index.js';
import { SUSPENSION_MEMORY, type SuspensionWrite } from '../../engine/karmada/index.js';
import { groupOf, refOf } from '../../engine/object.js';
import type { ClusterClient } from '../cluster/client.js';
import { POLICY_API } from './mirror.js';

/**
 * Owns `spec.suspension.dispatchingOnClusters` and our annotation, nothing else: a manager of its own, so that neither writing a
 * document nor stepping the field ever drops what the other one wrote.
 */
export const STEPPER = 'fleetwright-rollout';

/** A document without what the stepper owns. */
export function withoutSuspension(policy: KubeObject): KubeObject {
  const { suspension: _suspension, ...spec } = policy['spec'] as Record<string, unknown>;
  return { ...policy, spec };
}

/** Clusters that a policy's document suspends itself. */
export function suspendedIn(policy: KubeObject): readonly string[] {
  const { suspension } = policy['spec'] as {
    readonly suspension?: {
      readonly dispatchingOnClusters?: { readonly clusterNames?: readonly string[] };
    };
  };
  return [...(suspension?.dispatchingOnClusters?.clusterNames ?? [])].sort();
}

/**
 * Write the field and the annotation together, for the version that was decided on. `document` creates the policy when it does
 * not exist: it must never be there without its suspension.
 * @throws {@link ProviderError} `conflict` when somebody wrote in between: look again, decide again.
 */
export function writeSuspension(
  client: ClusterClient,
  { policy, clusterNames, memory, resourceVersion }: SuspensionWrite,
  document?: KubeObject,
): Promise<KubeObject> {
  const isNew = resourceVersion === undefined;
  const base = isNew && document !== undefined ? withoutSuspension(document) : undefined;
  const object: KubeObject = {
    apiVersion: POLICY_API,
    kind: policy.kind,
    metadata: {
      ...base?.metadata,
      name: policy.name,
      ...(policy.namespace !== undefined && { namespace: policy.namespace }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(memory !== undefined && {
        annotations: { ...base?.metadata.annotations, [SUSPENSION_MEMORY]: memory },
      }),
    },
    spec: {
      ...(base?.['spec'] as object | undefined),
      ...(clusterNames.length > 0 && {
        suspension: { dispatchingOnClusters: { clusterNames } },
      }),
    },
  };
  // The list is one value to the API server: taking it over keeps what others put into it.
  return client.apply(object, { fieldManager: STEPPER, force: true });
}

/**
 * Whether writing a document would change anything that Karmada looks at, asked of the server. Absent: it does not exist.
 */
export async function wouldChange(
  client: ClusterClient,
  object: KubeObject,
  force: boolean,
): Promise<{ readonly live?: KubeObject; readonly changes: boolean }> {
  const live = await client.get(refOf(object));
  if (live === undefined) return { changes: true };
  const after = await client.apply(object, { dryRun: true, force });
  return { live, changes: isChange(live, after) };
}

/** Documents with the namespace that `kubectl` would give them. */
export async function withNamespaces(
  client: ClusterClient,
  objects: readonly KubeObject[],
): Promise<readonly KubeObject[]> {
  const served = await client.discover();
  return objects.map((object) => {
    const { namespace } = object.metadata;
    if (namespace !== undefined && namespace !== '') return object;
    const kind = served.find(
      ({ apiVersion, kind: name }) => apiVersion === object.apiVersion && name === object.kind,
    );
    const isNamespaced = kind?.namespaced ?? groupOf(object.apiVersion) !== '';
    return isNamespaced
      ? { ...object, metadata: { ...object.metadata, namespace: 'default' } }
      : object;
  });
}
