import type { ObjectRef } from '../../api/object.js';
import { refOf } from '../../engine/object.js';
import type { Release } from '../../engine/plan.js';
import { whatHolds } from '../../engine/rollout/index.js';
import type { Connect } from '../cluster/client.js';
import { readSet, writeSet } from './apply-set.js';
import { STEADY_CLOCK } from './clock.js';
import { listMembers } from './members.js';
import { patientClient } from './patient-client.js';
import { inParallel } from './pool.js';

type Owner = Pick<Release, 'application' | 'environment'>;

/** A cluster that a `destroy` has begun with, or was about to, and that is not clear yet. Plain data. */
export interface UnfinishedDestroy {
  readonly cluster: string;
  /** RFC 3339. */
  readonly since: string;
  /** Objects that are still there, sorted by resource key. */
  readonly left: readonly ObjectRef[];
  /** Those of them that are being deleted, and what they wait for. */
  readonly held: readonly { readonly resource: ObjectRef; readonly waitingFor: string }[];
}

const CLUSTERS_AT_ONCE = 32;
const REQUESTS_AT_ONCE = 16;
/** A dead cluster must not hold up a look at the others. */
const SILENCE_MS = 5_000;

/**
 * Write on the clusters that the application is about to be removed from them, before anything is: a run that is killed, or
 * waits for a finalizer, then does not look like an application that lost some objects. What the set is written with next,
 * by a rollout, takes the mark away; so does the end of the removal, with the set. Where it cannot be written the removal
 * itself says why.
 */
export async function announceDestroy(
  owner: Owner,
  clusters: readonly string[],
  connect: Connect,
  now: string,
): Promise<void> {
  await inParallel(clusters, CLUSTERS_AT_ONCE, async (cluster) => {
    try {
      const client = await politely(connect, cluster);
      const set = await readSet(client, owner);
      const isThere = set.contents.groupKinds.length > 0;
      if (isThere && set.contents.destroying === undefined)
        await writeSet(client, set, { ...set.contents, destroying: now });
    } catch {
      // The removal will meet the same and report it.
    }
  });
}

/**
 * Clusters where a `destroy` is not finished, sorted by name; none where nobody has begun one. A cluster that cannot be read is
 * left out. Reads only.
 */
export async function readUnfinishedDestroy(
  owner: Owner,
  clusters: readonly string[],
  connect: Connect,
): Promise<readonly UnfinishedDestroy[]> {
  const found = await inParallel([...clusters].sort(), CLUSTERS_AT_ONCE, async (cluster) => {
    try {
      const client = await politely(connect, cluster);
      const set = await readSet(client, owner);
      const since = set.contents.destroying;
      if (since === undefined) return [];
      const members = await listMembers(client, set, REQUESTS_AT_ONCE);
      const held = members
        .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
        .map((object) => ({ resource: refOf(object), waitingFor: whatHolds(object) }));
      return [{ cluster, since, left: members.map(refOf), held }];
    } catch {
      // Whoever asks shows the state of each cluster, and with it that this one does not answer.
      return [];
    }
  });
  return found.flat();
}

async function politely(connect: Connect, cluster: string): ReturnType<Connect> {
  const { signal } = new AbortController();
  const manners = { clock: STEADY_CLOCK, silenceMs: SILENCE_MS, signal };
  return patientClient(await connect(cluster), manners);
}
