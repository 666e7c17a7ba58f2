import type { Plan, Release } from '../../engine/plan.js';
import { historyOf, type KeptIndex } from '../../engine/rollout/index.js';
import type { Connect } from '../cluster/client.js';
import { releaseHash } from './apply-set.js';
import { STEADY_CLOCK } from './clock.js';
import { readKeptIndex } from './kept-store.js';
import { patientClient } from './patient-client.js';
import { inParallel } from './pool.js';

/** Clusters whose newest revision is one that a rollback brought back, or is about to. Plain data. */
export interface RolledBack {
  /** Sorted. */
  readonly clusters: readonly string[];
  /** The revision that first had what is there. */
  readonly to: number;
  /** RFC 3339, when the rollback was done; absent: it has begun and is not done. */
  readonly at?: string;
  /** The revision that it went away from; absent: it is not known any more. */
  readonly left?: number;
  /** Whether the plan has exactly what was left: rolling it out undoes the rollback. */
  readonly bringsBack: boolean;
}

const CLUSTERS_AT_ONCE = 32;
/** A dead cluster must not hold up a look at the others. */
const SILENCE_MS = 5_000;

/**
 * Which of these clusters were rolled back, for those who are about to roll forward; clusters with the same story as one,
 * sorted by first cluster. A cluster that cannot be read is left out. One request for each cluster, reads only.
 */
export async function readRolledBack(
  { releases }: Pick<Plan, 'releases'>,
  clusters: ReadonlySet<string>,
  connect: Connect,
  silenceMs = SILENCE_MS,
): Promise<readonly RolledBack[]> {
  const asked = releases.filter(({ cluster }) => clusters.has(cluster));
  const found = await inParallel(asked, CLUSTERS_AT_ONCE, async (release) => {
    try {
      const { signal } = new AbortController();
      const manners = { clock: STEADY_CLOCK, silenceMs, signal };
      const client = patientClient(await connect(release.cluster), manners);
      return rolledBack(release, await readKeptIndex(client, release));
    } catch {
      // Whoever asks shows the state of each cluster, and with it that this one does not answer.
      return undefined;
    }
  });
  const groups = new Map<string, RolledBack>();
  for (const one of found) {
    if (one === undefined) continue;
    const { clusters: own, ...story } = one;
    const key = JSON.stringify(story);
    const all = [...(groups.get(key)?.clusters ?? []), ...own].sort();
    groups.set(key, { clusters: all, ...story });
  }
  return [...groups.values()].sort((a, b) =>
    (a.clusters[0] ?? '') < (b.clusters[0] ?? '') ? -1 : 1,
  );
}

function rolledBack(
  release: Release,
  { entries, goingBack, wentBack }: KeptIndex,
): RolledBack | undefined {
  const { cluster } = release;
  const newest = entries.at(-1);
  if (newest === undefined) return undefined;
  const planned = release.manifests.length === 0 ? '' : releaseHash(release);
  if (goingBack?.from === newest.revision)
    return {
      clusters: [cluster],
      to: goingBack.restores,
      left: newest.revision,
      bringsBack: planned === newest.hash,
    };
  if (planned === newest.hash) return undefined;
  // What was left was never done, so it is not kept.
  if (wentBack !== undefined)
    return { clusters: [cluster], to: wentBack.restores, at: wentBack.at, bringsBack: false };
  if (newest.restores === undefined) return undefined;
  const history = historyOf(entries);
  const left = entries.filter(
    ({ revision, hash }) =>
      revision < newest.revision && !history.includes(revision) && hash !== newest.hash,
  );
  const same = left.findLast(({ hash }) => hash === planned);
  const last = same ?? left.at(-1);
  return {
    clusters: [cluster],
    to: newest.restores,
    at: newest.at,
    ...(last !== undefined && { left: last.revision }),
    bringsBack: same !== undefined,
  };
}
