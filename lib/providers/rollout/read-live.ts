import type { KubeObject, ObjectRef } from '../../api/object.js';
import { compareBy, sorted } from '../../engine/compare.js';
import type { LiveState } from '../../engine/input.js';
import { refKey, refOf } from '../../engine/object.js';
import { ProviderError, type ClusterClient, type Connect } from '../cluster/client.js';
import { readSet } from './apply-set.js';
import { STEADY_CLOCK, type Clock } from './clock.js';
import { listMembers } from './members.js';
import { patientClient } from './patient-client.js';
import { inParallel } from './pool.js';
import { readExisting } from './read-existing.js';
import type { ReleaseFailure } from './result.js';
import { toFailure } from './result.js';

/** What to look at on one cluster. */
export interface LiveQuery {
  readonly cluster: string;
  /** Objects looked at by name, whoever owns them: what the plan or the lock has there. */
  readonly resources: readonly ObjectRef[];
}

export interface ReadLiveOptions {
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Per cluster, all in parallel: a dead one costs this once. @default 10 */
  readonly unreachableSeconds?: number;
  readonly concurrency?: number;
}

export interface LiveReading {
  /** Clusters that answered only: for the others the plan falls back to the lock. */
  readonly live: LiveState;
  /** One CLUSTER_UNREACHABLE, APPLY_REFUSED or APPLY_CONFLICT per cluster that could not be read, sorted by cluster. */
  readonly failures: readonly (ReleaseFailure & { readonly cluster: string })[];
}

/**
 * What is on the clusters now, for `plan --live` and `diff --live`: the objects asked for, and everything else that
 * carries the application's set, such as leftovers of a killed run; and the namespaces that these are in, whose labels may
 * protect them. Reads only. Objects sorted by resource key.
 */
export async function readLive(
  application: { readonly application: string; readonly environment?: string },
  queries: readonly LiveQuery[],
  connect: Connect,
  options: ReadLiveOptions = {},
): Promise<LiveReading> {
  const readings = await inParallel(queries, 64, (query) =>
    readOne(application, query, connect, options),
  );
  const members: Record<string, readonly KubeObject[]> = {};
  const failures: (ReleaseFailure & { readonly cluster: string })[] = [];
  for (const [index, reading] of readings.entries()) {
    const cluster = queries[index]?.cluster ?? '';
    if ('objects' in reading) members[cluster] = reading.objects;
    else failures.push({ cluster, ...reading.failure });
  }
  return {
    live: { members },
    failures: sorted(
      failures,
      compareBy(({ cluster }) => cluster),
    ),
  };
}

async function readOne(
  application: { readonly application: string; readonly environment?: string },
  { cluster, resources }: LiveQuery,
  connect: Connect,
  options: ReadLiveOptions,
): Promise<{ objects: readonly KubeObject[] } | { failure: ReleaseFailure }> {
  const { clock = STEADY_CLOCK, unreachableSeconds = 10, concurrency = 16 } = options;
  const signal = options.signal ?? new AbortController().signal;
  const enough = new AbortController();
  try {
    const raw = await connect(cluster);
    const silenceMs = unreachableSeconds * 1000;
    const client = patientClient(raw, {
      clock,
      silenceMs,
      signal: AbortSignal.any([signal, enough.signal]),
    });
    const set = await readSet(client, application);
    const members = await listMembers(client, set, concurrency, resources);
    const byKey = new Map(members.map((object) => [refKey(refOf(object)), object]));
    const missing = resources.filter(
      (resource) => byKey.get(refKey(resource))?.apiVersion !== resource.apiVersion,
    );
    const named = await readExisting(client, missing, concurrency);
    for (const [key, object] of named) byKey.set(key, object);
    for (const [key, object] of await readNamespaces(client, byKey, concurrency))
      byKey.set(key, object);
    const keys = sorted(
      byKey.entries(),
      compareBy(([key]) => key),
    );
    return { objects: keys.map(([, object]) => object) };
  } catch (error) {
    return { failure: toFailure(error) };
  } finally {
    enough.abort();
  }
}

/** Those that are not among the objects yet. Who may not read namespaces goes without. */
async function readNamespaces(
  client: ClusterClient,
  objects: ReadonlyMap<string, KubeObject>,
  concurrency: number,
): Promise<ReadonlyMap<string, KubeObject>> {
  const names = new Set([...objects.values()].flatMap(({ metadata }) => metadata.namespace ?? []));
  const refs = [...names]
    .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', name }))
    .filter((ref) => !objects.has(refKey(ref)));
  try {
    return await readExisting(client, refs, concurrency);
  } catch (error) {
    if (ProviderError.is(error) && error.failure === 'forbidden') return new Map();
    throw error;
  }
}
