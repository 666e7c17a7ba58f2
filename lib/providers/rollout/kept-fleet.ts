import type { Release } from '../../engine/plan.js';
import type { GoingBack, KeptIndex, KeptRelease } from '../../engine/rollout/index.js';
import type { ClusterClient, Connect } from '../cluster/client.js';
import { readSet, type ApplySet } from './apply-set.js';
import { readKept, readKeptIndex } from './kept-store.js';
import { inParallel } from './pool.js';
import type { ReleaseFailure } from './result.js';
import { toFailure } from './result.js';

type Owner = Pick<Release, 'application' | 'environment'>;

/** One state that the fleet can go back to. */
export interface RevisionSummary {
  readonly revision: number;
  readonly at: string;
  readonly lockSerial: number;
  /** Of what a rollback brought back: the revision that first had it. */
  readonly restores?: number;
  /** Clusters where something changed with it. */
  readonly clusters: readonly string[];
}

/** One cluster with what is kept there. */
export interface KeptLook extends KeptIndex {
  readonly cluster: string;
  readonly client: ClusterClient;
  readonly set: ApplySet;
}

export interface KeptFleet {
  readonly looks: readonly KeptLook[];
  /** Clusters that could not be read. */
  readonly unreadable: readonly { readonly cluster: string; readonly failure: ReleaseFailure }[];
}

const CLUSTERS_AT_ONCE = 32;

/** What is kept, on each of the clusters; a cluster that cannot be read does not hide the others. */
export async function readKeptFleet(
  owner: Owner,
  clusters: readonly string[],
  connect: Connect,
): Promise<KeptFleet> {
  const looks: KeptLook[] = [];
  const unreadable: { cluster: string; failure: ReleaseFailure }[] = [];
  const found = await inParallel(clusters, CLUSTERS_AT_ONCE, async (cluster) => {
    try {
      const client = await connect(cluster);
      const [index, set] = await Promise.all([
        readKeptIndex(client, owner),
        readSet(client, owner),
      ]);
      return { cluster, client, ...index, set };
    } catch (error) {
      return { cluster, failure: toFailure(error) };
    }
  });
  for (const one of found) {
    if (one.failure !== undefined) unreadable.push(one);
    else looks.push(one);
  }
  return { looks, unreadable };
}

/** Newest first. */
export function summarize({ looks }: Pick<KeptFleet, 'looks'>): readonly RevisionSummary[] {
  const byNumber = new Map<number, RevisionSummary>();
  for (const { cluster, entries } of looks) {
    for (const { revision, at, lockSerial, restores } of entries) {
      const clusters = [...(byNumber.get(revision)?.clusters ?? []), cluster].sort();
      byNumber.set(revision, {
        revision,
        at,
        lockSerial,
        ...(restores !== undefined && { restores }),
        clusters,
      });
    }
  }
  return [...byNumber.values()].sort((a, b) => b.revision - a.revision);
}

/** The rollback that has begun on any of the clusters and is not done; `undefined`: none, or a later revision is kept. */
export function unfinishedRollback({ looks }: Pick<KeptFleet, 'looks'>): GoingBack | undefined {
  const newest = summarize({ looks })[0]?.revision;
  return looks.map(({ goingBack }) => goingBack).find((one) => one?.from === newest);
}

/** The kept set of a revision on any of the clusters; `undefined` when none has it any more. */
export async function readAny(
  owner: Owner,
  looks: readonly KeptLook[],
  revision: number,
): Promise<KeptRelease | undefined> {
  for (const { client, entries } of looks) {
    const entry = entries.find((one) => one.revision === revision && one.chunks > 0);
    const kept = entry === undefined ? undefined : await readKept(client, owner, entry);
    if (kept !== undefined) return kept;
  }
  return undefined;
}

/** The newest revision that any of the clusters can still tell; `undefined` when nothing is kept. */
export async function readNewest(
  owner: Owner,
  looks: readonly KeptLook[],
): Promise<KeptRelease | undefined> {
  for (const { revision } of summarize({ looks })) {
    const kept = await readAny(owner, looks, revision);
    if (kept !== undefined) return kept;
  }
  return undefined;
}
