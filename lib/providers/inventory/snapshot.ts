import type { Cluster } from '../../api/cluster.js';
import { compareBy, compareStrings, sorted } from '../../engine/compare.js';
import { compareDiagnostics, type Diagnostic } from '../../engine/diagnostic.js';
import { describeFailure, ProviderError, type Connect } from '../cluster/index.js';
import { notReachable, observeCluster, type Observed } from './observe-cluster.js';

export interface SnapshotOptions {
  /** RFC 3339; becomes `fleetwright.dev/observed-at` of every cluster that answered. */
  readonly now: string;
  /** The documents of the last snapshot: what people wrote into them stays, and unreachable clusters keep what was known. */
  readonly previous?: readonly Cluster[];
  /** Clusters read at the same time. Default 8. */
  readonly parallel?: number;
}

export interface FleetSnapshot {
  /** Sorted by name; one for every name that was asked for, reachable or not. */
  readonly clusters: readonly Cluster[];
  /** Sorted. Errors for clusters that could not be read, warnings for what could not be read of the others. */
  readonly diagnostics: readonly Diagnostic[];
}

const PARALLEL = 8;

/**
 * Read clusters into Karmada `Cluster` documents: version, API enablements, topology, capacity, conditions.
 *
 * One bad cluster stays one bad cluster: it is reported, marked as not ready, and kept. Diagnostics: CLUSTER_UNREACHABLE,
 * CLUSTER_UNAUTHORIZED, CLUSTER_FORBIDDEN, KUBECONFIG_INVALID (that cluster is left out unless it was known before).
 */
export async function snapshotFleet(
  connect: Connect,
  names: readonly string[],
  options: SnapshotOptions,
): Promise<FleetSnapshot> {
  const previous = new Map(options.previous?.map((cluster) => [cluster.metadata.name, cluster]));
  const waiting = sorted(new Set(names), compareStrings);
  const observed: (
    Observed | { readonly cluster?: undefined; readonly diagnostics: readonly Diagnostic[] }
  )[] = [];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      observed.push(await observeOne(connect, name, previous.get(name), options.now));
  };
  await Promise.all(Array.from({ length: options.parallel ?? PARALLEL }, work));
  const clusters = observed.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster]));
  return {
    clusters: sorted(
      clusters,
      compareBy((cluster) => cluster.metadata.name ?? ''),
    ),
    diagnostics: sorted(
      observed.flatMap(({ diagnostics }) => diagnostics),
      compareDiagnostics,
    ),
  };
}

async function observeOne(
  connect: Connect,
  name: string,
  previous: Cluster | undefined,
  now: string,
): Promise<
  Observed | { readonly cluster?: undefined; readonly diagnostics: readonly Diagnostic[] }
> {
  try {
    const client = await connect(name);
    try {
      return await observeCluster(client, previous, now);
    } finally {
      await client.close();
    }
  } catch (error) {
    if (!ProviderError.is(error)) throw error;
    const diagnostic = describeFailure(error);
    // A name that no kubeconfig knows may be a slip: it becomes no cluster.
    if (diagnostic.code === 'KUBECONFIG_INVALID' && previous === undefined)
      return { diagnostics: [diagnostic] };
    return {
      cluster: notReachable(name, previous, diagnostic.summary, now),
      diagnostics: [diagnostic],
    };
  }
}
