import type { Diagnostic } from '../lib/engine/diagnostic.js';
import type { LiveState, PlanInput } from '../lib/engine/input.js';
import type { ObjectRef } from '../lib/engine/object.js';
import { refKey } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import type { Access } from './access.js';

/** What the clusters hold now, and a finding for each that could not be read. */
export interface LiveReading {
  readonly live: LiveState;
  /** Clusters that were asked and could not be read; sorted. */
  readonly unread: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Read the objects that a plan or its lock has on the clusters, and what else belongs to the application there. Without a lock
 * nothing says where that is, so all clusters are looked at; those that the plan does not need may give no answer.
 */
export async function readLiveState(
  plan: Plan,
  input: PlanInput,
  access: Access,
  unreachableSeconds: number,
): Promise<LiveReading> {
  const { readLive } = await import('../lib/providers/rollout/index.js');
  const { application, environment } = plan;
  const owner = { application, ...(environment !== undefined && { environment }) };
  const queries = queriesOf(plan, input);
  const needed = new Set(queries.flatMap((q) => (q.resources.length > 0 ? [q.cluster] : [])));
  const { live, failures } = await readLive(owner, queries, access.connect, {
    unreachableSeconds,
  });
  const twins = await sameServers(Object.keys(live.members), access);
  return {
    live,
    unread: failures.map(({ cluster }) => cluster),
    diagnostics: [
      ...twins,
      ...failures.map(({ code, cluster, resource, message }): Diagnostic => ({
        code,
        severity: needed.has(cluster) ? 'error' : 'warning',
        summary: message.includes(cluster) ? message : `${cluster}: ${message}`,
        hint: needed.has(cluster)
          ? `Check the cluster and its kubeconfig context; to go on without it, plan with --acknowledge ${code}.`
          : 'The plan does not need this cluster; without a lock nobody knows whether objects of the application are there.',
        ...(resource !== undefined && { resource }),
      })),
    ],
  };
}

/**
 * Two names for one server would write one cluster's objects over the other's. The `kube-system` namespace has a UID that is
 * a cluster's own; where it may not be read nothing can be said.
 */
async function sameServers(clusters: readonly string[], access: Access): Promise<Diagnostic[]> {
  const kubeSystem = { apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' };
  const uids = await Promise.all(
    clusters.map(async (cluster) => {
      const client = await access.connect(cluster);
      const found = await client.get(kubeSystem).catch(() => undefined);
      return found?.metadata.uid;
    }),
  );
  return clusters.flatMap((cluster, i): Diagnostic[] => {
    const first = uids.indexOf(uids[i]);
    if (uids[i] === undefined || first === i) return [];
    return [
      {
        code: 'CLUSTER_AMBIGUOUS',
        severity: 'error',
        summary: `"${clusters[first] ?? ''}" and "${cluster}" are the same cluster: their kubeconfig contexts lead to one server.`,
        hint: 'Correct the contexts (`--context-map NAME=CONTEXT`), or remove one of the two from the fleet.',
      },
    ];
  });
}

function queriesOf(plan: Plan, input: PlanInput): { cluster: string; resources: ObjectRef[] }[] {
  const wanted = new Map<string, Map<string, ObjectRef>>();
  const want = (cluster: string, resource: ObjectRef): void => {
    const resources = wanted.get(cluster) ?? new Map<string, ObjectRef>();
    resources.set(refKey(resource), resource);
    wanted.set(cluster, resources);
  };
  for (const { cluster, manifests, deletions } of plan.releases) {
    for (const { resource } of [...manifests, ...deletions]) want(cluster, resource);
  }
  const fleet = new Set(input.fleet.clusters.map(({ metadata }) => metadata.name));
  for (const { resource, clusters, followed = [] } of input.lock?.bindings ?? []) {
    for (const cluster of [...Object.keys(clusters), ...followed])
      if (fleet.has(cluster)) want(cluster, resource);
  }
  const isLockless = (input.lock?.bindings ?? []).length === 0;
  for (const cluster of isLockless ? fleet : [])
    if (cluster !== undefined && !wanted.has(cluster)) wanted.set(cluster, new Map());
  return [...wanted].map(([cluster, resources]) => ({
    cluster,
    resources: [...resources.values()],
  }));
}
