import type { Cluster } from '../../api/cluster.js';
import { compareBy, compareStrings, sorted } from '../../engine/compare.js';
import { compareDiagnostics, type Diagnostic } from '../../engine/diagnostic.js';
import { describeFailure, isOnOurSide, ProviderError, type Connect } from '../cluster/index.js';
import { notReachable, observeCluster } from './observe-cluster.js';

export interface SnapshotOptions {
  /** RFC 3339; becomes `fleetwright.dev/observed-at` of every cluster that answered. */
  readonly now: string;
  /** The documents of the last snapshot: what people wrote into them stays, and unreachable clusters keep what was known. */
  readonly previous?: readonly Cluster[];
  /** Clusters read at the same time. Default 8. */
  readonly parallel?: number;
}

export interface FleetSnapshot {
  /** Sorted by name: what was read, and as not ready what did not answer. */
  readonly clusters: readonly Cluster[];
  /** Sorted: those of `clusters` that did not answer. */
  readonly unreachable: readonly string[];
  /** Sorted names, not in `clusters`: a mistake on this side kept us from asking, which says nothing about the cluster. */
  readonly notAsked: readonly string[];
  /** Sorted. Errors for clusters that could not be read, warnings for what could not be read of the others. */
  readonly diagnostics: readonly Diagnostic[];
}

const PARALLEL = 8;

/**
 * Read clusters into Karmada `Cluster` documents: version, API enablements, topology, capacity, conditions.
 *
 * One bad cluster stays one bad cluster: it is reported, marked as not ready, and kept. A mistake on this side marks nothing.
 * Diagnostics: CLUSTER_UNREACHABLE, CLUSTER_UNAUTHORIZED, CLUSTER_FORBIDDEN, KUBECONFIG_INVALID.
 */
export async function snapshotFleet(
  connect: Connect,
  names: readonly string[],
  options: SnapshotOptions,
): Promise<FleetSnapshot> {
  const previous = new Map(options.previous?.map((cluster) => [cluster.metadata.name, cluster]));
  const waiting = sorted(new Set(names), compareStrings);
  const looks: Look[] = [];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      looks.push(await observeOne(connect, name, previous.get(name), options.now));
  };
  await Promise.all(Array.from({ length: options.parallel ?? PARALLEL }, work));
  const namesOf = (result: Look['result']): readonly string[] =>
    sorted(
      looks.flatMap((look) => (look.result === result ? [look.name] : [])),
      compareStrings,
    );
  return {
    clusters: sorted(
      looks.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster])),
      compareBy((cluster) => cluster.metadata.name ?? ''),
    ),
    unreachable: namesOf('unreachable'),
    notAsked: namesOf('not asked'),
    diagnostics: sorted(
      looks.flatMap(({ diagnostics }) => diagnostics),
      compareDiagnostics,
    ),
  };
}

/** What became of looking at one cluster. */
interface Look {
  readonly name: string;
  readonly result: 'read' | 'unreachable' | 'not asked';
  readonly cluster?: Cluster;
  readonly diagnostics: readonly Diagnostic[];
}

async function observeOne(
  connect: Connect,
  name: string,
  previous: Cluster | undefined,
  now: string,
): Promise<Look> {
  try {
    const client = await connect(name);
    try {
      return { name, result: 'read', ...(await observeCluster(client, previous, now)) };
    } finally {
      await client.close();
    }
  } catch (error) {
    if (!ProviderError.is(error)) throw error;
    const diagnostic = describeFailure(error);
    const diagnostics = [diagnostic];
    if (isOnOurSide(error)) return { name, result: 'not asked', diagnostics };
    const cluster = notReachable(name, previous, diagnostic.summary, now);
    return { name, result: 'unreachable', cluster, diagnostics };
  }
}
