import type { KubeObject } from '../../api/object.js';
import { compareBy, sorted } from '../../engine/compare.js';
import { refKey, refOf } from '../../engine/object.js';
import { groupKindOf } from '../../engine/rollout/index.js';
import {
  ProviderError,
  type ClusterClient,
  type Connect,
  type ServedKind,
} from '../cluster/client.js';
import { inParallel, type ReleaseFailure } from '../rollout/index.js';
import { toFailure } from '../rollout/result.js';

/** Which objects to look at. */
export interface Selection {
  /** Empty: all but those of the system. */
  readonly namespaces: readonly string[];
  /** As kubectl takes it: `app=web,tier!=db`. */
  readonly labelSelector?: string;
  /** `Deployment`, `Rollout.argoproj.io`; empty: {@link DEFAULT_KINDS}. */
  readonly kinds: readonly string[];
  /** Empty: all. */
  readonly names: readonly string[];
}

export interface Reading {
  /** By cluster name; sorted by resource key. Clusters that could not be read whole are missing. */
  readonly live: Readonly<Record<string, readonly KubeObject[]>>;
  /** Sorted by cluster. */
  readonly failures: readonly (ReleaseFailure & { readonly cluster: string })[];
}

/** What people deploy, by `groupKindOf`. Cluster-scoped kinds and custom resources are looked at only when named. */
export const DEFAULT_KINDS: readonly string[] = [
  'ConfigMap',
  'CronJob.batch',
  'DaemonSet.apps',
  'Deployment.apps',
  'HorizontalPodAutoscaler.autoscaling',
  'Ingress.networking.k8s.io',
  'NetworkPolicy.networking.k8s.io',
  'PersistentVolumeClaim',
  'PodDisruptionBudget.policy',
  'Role.rbac.authorization.k8s.io',
  'RoleBinding.rbac.authorization.k8s.io',
  'Secret',
  'Service',
  'ServiceAccount',
  'StatefulSet.apps',
];

const SYSTEM_NAMESPACES: readonly string[] = ['kube-node-lease', 'kube-public', 'kube-system'];
const CONCURRENCY = 8;

/** Read what is selected from each cluster, all in parallel. Reads only. */
export async function readClusters(
  clusters: readonly string[],
  selection: Selection,
  connect: Connect,
): Promise<Reading> {
  const live: Record<string, readonly KubeObject[]> = {};
  const failures: (ReleaseFailure & { readonly cluster: string })[] = [];
  await Promise.all(
    clusters.map(async (cluster) => {
      try {
        live[cluster] = await readOne(await connect(cluster), selection);
      } catch (error) {
        failures.push({ cluster, ...toFailure(error) });
      }
    }),
  );
  const byCluster = compareBy(({ cluster }: { readonly cluster: string }) => cluster);
  return { live, failures: sorted(failures, byCluster) };
}

async function readOne(
  client: ClusterClient,
  { namespaces, labelSelector, kinds, names }: Selection,
): Promise<readonly KubeObject[]> {
  const served = servedKinds(await client.discover(), client, kinds);
  const lists = await inParallel(
    served.flatMap((kind) => placesOf(kind, namespaces).map((place) => ({ kind, place }))),
    CONCURRENCY,
    ({ kind, place }) =>
      client.list(kind, { ...place, ...(labelSelector !== undefined && { labelSelector }) }),
  );
  const wanted = lists.flat().filter(({ metadata }) => {
    const isNamed = names.length === 0 || names.includes(metadata.name ?? '');
    const isSystem =
      namespaces.length === 0 && SYSTEM_NAMESPACES.includes(metadata.namespace ?? '');
    return isNamed && !isSystem;
  });
  return sorted(
    wanted,
    compareBy((object) => refKey(refOf(object))),
  );
}

function placesOf(
  { namespaced }: ServedKind,
  namespaces: readonly string[],
): readonly { readonly namespace?: string }[] {
  return !namespaced || namespaces.length === 0
    ? [{}]
    : namespaces.map((namespace) => ({ namespace }));
}

/** One version of each kind: the first that discovery names. A kind that somebody named must be served. */
function servedKinds(
  served: readonly ServedKind[],
  { cluster }: ClusterClient,
  named: readonly string[],
): readonly ServedKind[] {
  const listed = served.filter(({ verbs }) => verbs.includes('list'));
  if (named.length === 0)
    return DEFAULT_KINDS.flatMap(
      (groupKind) => listed.find((kind) => groupKindOf(kind) === groupKind) ?? [],
    );
  return named.map((name) => {
    const known = DEFAULT_KINDS.find((groupKind) => groupKind.split('.')[0] === name);
    const found = listed.find((kind) => [name, known].includes(groupKindOf(kind)));
    const other = found ?? listed.find(({ kind }) => kind === name);
    if (other !== undefined) return other;
    throw new ProviderError(
      'notServed',
      `${cluster}: the cluster does not serve the kind ${name}`,
      {
        cluster,
        verb: 'list',
      },
    );
  });
}
