import type { ApiEnablement, Cluster, ClusterStatus, ResourceModel } from '../../api/cluster.js';
import { compareBy, compareStrings, inOrder, sorted } from '../../engine/compare.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import {
  describeFailure,
  ProviderError,
  type ClusterClient,
  type ServedKind,
} from '../cluster/index.js';
import { openCapacity, type Node } from './capacity.js';
import { toConditions, toTaints, type Verdict } from './conditions.js';
import { pagesOf } from './pages.js';
import type { Pod } from './pod-requests.js';
import { openTopology } from './topology.js';

export interface Observed {
  readonly cluster: Cluster;
  readonly diagnostics: readonly Diagnostic[];
}

export const OBSERVED_AT = 'fleetwright.dev/observed-at';

/**
 * One cluster as a Karmada `Cluster` document.
 *
 * What people wrote into the previous document stays: labels, taints, region, models. What the credentials may not read is left out, as
 * unknown, with a warning that names the right that is missing.
 *
 * @throws ProviderError when the cluster as a whole cannot be read.
 */
export async function observeCluster(
  client: ClusterClient,
  previous: Cluster | undefined,
  now: string,
): Promise<Observed> {
  const name = client.cluster;
  const [version, kinds] = await Promise.all([client.raw('/version'), client.discover()]);
  await client.raw('/readyz');
  const id = await clusterId(client);
  const { spec, status, diagnostics } = await readNodesAndPods(
    client,
    previous?.spec.resourceModels ?? [],
  );
  const verdicts: readonly Verdict[] = [
    {
      type: 'Ready',
      isTrue: true,
      reason: 'ClusterReady',
      message: 'cluster is healthy and ready to accept workloads',
    },
    { type: 'CompleteAPIEnablements', isTrue: true, reason: 'Complete', message: '' },
  ];
  const cluster: Cluster = {
    ...documentOf(name, previous, now, true, { ...(id !== undefined && { id }), ...spec }),
    status: {
      kubernetesVersion: (version as { gitVersion?: string }).gitVersion ?? '',
      apiEnablements: toApiEnablements(kinds),
      conditions: toConditions(verdicts, previous, now),
      ...status,
    },
  };
  return { cluster, diagnostics };
}

/**
 * A cluster that could not be read: not ready, with what was last known of it. It keeps its place in the fleet, so that a network fault
 * here does not look like a cluster that left. `observed-at` stays, since nothing was observed.
 */
export function notReachable(
  name: string,
  previous: Cluster | undefined,
  message: string,
  now: string,
): Cluster {
  const observedAt = previous?.metadata.annotations?.[OBSERVED_AT] ?? now;
  const others = (previous?.status?.conditions ?? []).filter(({ type }) => type !== 'Ready');
  const verdict = { type: 'Ready', isTrue: false, reason: 'ClusterNotReachable', message };
  return {
    ...documentOf(name, previous, observedAt, false, {}),
    status: {
      ...previous?.status,
      conditions: [...toConditions([verdict], previous, now), ...others],
    },
  };
}

function documentOf(
  name: string,
  previous: Cluster | undefined,
  observedAt: string,
  isReady: boolean,
  observed: Partial<Cluster['spec']>,
): Omit<Cluster, 'status'> {
  const taints = toTaints(previous, isReady);
  const { taints: _taints, ...kept } = previous?.spec ?? { syncMode: 'Push' as const };
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: {
      ...previous?.metadata,
      name,
      annotations: { ...previous?.metadata.annotations, [OBSERVED_AT]: observedAt },
    },
    spec: { ...observed, ...kept, ...(taints.length > 0 && { taints }) },
  };
}

/** Karmada identifies a cluster by the uid of this namespace. Without the right to read it, the cluster has no id. */
async function clusterId(client: ClusterClient): Promise<string | undefined> {
  try {
    const ref = { apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' };
    return (await client.get(ref))?.metadata.uid;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

async function readNodesAndPods(
  client: ClusterClient,
  models: readonly ResourceModel[],
): Promise<{
  readonly spec: Partial<Cluster['spec']>;
  readonly status: Pick<ClusterStatus, 'nodeSummary' | 'resourceSummary'>;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const topology = openTopology();
  let capacity = openCapacity();
  try {
    for await (const { items, restart } of pagesOf<Node>(client, '/api/v1/nodes')) {
      if (restart) capacity = openCapacity();
      for (const node of items) {
        topology.addNode(node);
        capacity.addNode(node);
      }
    }
    for await (const { items, restart } of pagesOf<Pod>(client, '/api/v1/pods')) {
      if (restart) capacity.forgetPods();
      for (const pod of items) capacity.addPod(pod);
    }
    return { spec: topology.spec(), status: capacity.summary(models), diagnostics: [] };
  } catch (error) {
    if (!isForbidden(error)) throw error;
    // Half a sum would look like free room. Unknown is not zero.
    return { spec: topology.spec(), status: {}, diagnostics: [unknownCapacity(error)] };
  }
}

function unknownCapacity(error: ProviderError): Diagnostic {
  const { hint: _hint, ...diagnostic } = describeFailure(error);
  return {
    ...diagnostic,
    severity: 'warning',
    hint: `Grant \`list\` on \`nodes\` and \`pods\` in ${error.facts.cluster}; until then its capacity is unknown.`,
  };
}

function isForbidden(error: unknown): error is ProviderError {
  return ProviderError.is(error) && error.failure === 'forbidden';
}

/** Group versions sorted; in each, resources by (1) kind, (2) name. */
function toApiEnablements(kinds: readonly ServedKind[]): readonly ApiEnablement[] {
  const groups = new Map<string, { name: string; kind: string }[]>();
  for (const { apiVersion, resource, kind } of kinds) {
    const resources = groups.get(apiVersion) ?? [];
    groups.set(apiVersion, resources);
    resources.push({ name: resource, kind });
  }
  const order = inOrder<{ name: string; kind: string }>(
    compareBy((one) => one.kind),
    compareBy((one) => one.name),
  );
  return sorted(groups.keys(), compareStrings).map((groupVersion) => ({
    groupVersion,
    resources: sorted(groups.get(groupVersion) ?? [], order),
  }));
}
