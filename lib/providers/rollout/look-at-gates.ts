import type { PlannedWave, Release } from '../../engine/plan.js';
import type { Connect } from '../cluster/client.js';
import type { Clock } from './clock.js';
import { inParallel } from './pool.js';
import { readGateMarks, type GateMarks, type OtherApproval } from './prove-release.js';

/** What clusters say about the gates of their waves, before a run starts. */
export interface GateLook {
  /** Clusters that have passed their gate with exactly this release. */
  readonly proven: ReadonlySet<string>;
  /** Waves that somebody has approved for it on all of their clusters. */
  readonly approved: readonly string[];
  /** Clusters where an approval is recorded for something else than is planned, sorted by wave and cluster. */
  readonly approvedOther: readonly (OtherApproval & { readonly cluster: string })[];
}

const CLUSTERS_AT_ONCE = 32;
/** A dead cluster must not hold up the others. */
const LOOK_SECONDS = 5;
const NOTHING: GateMarks = { proven: false, approved: false };

/** Asks only the clusters of waves that wait for approval or a window. */
export async function lookAtGates(
  plan: { readonly waves: readonly PlannedWave[]; readonly releases: readonly Release[] },
  connect: Connect,
  clock: Clock,
): Promise<GateLook> {
  const releases = new Map(plan.releases.map((release) => [release.cluster, release]));
  const waves = plan.waves.filter(({ gate }) => gate.approval || gate.windows !== undefined);
  const asked = waves.flatMap(({ clusters }) => clusters);
  const marks = await inParallel(asked, CLUSTERS_AT_ONCE, (cluster) => {
    const release = releases.get(cluster);
    return release === undefined ? Promise.resolve(NOTHING) : marksOf(release, connect, clock);
  });
  const passes = (mark: keyof GateMarks): ReadonlySet<string> =>
    new Set(asked.filter((_, index) => marks[index]?.[mark] === true));
  const proven = passes('proven');
  const approved = passes('approved');
  const isApproved = (cluster: string): boolean => proven.has(cluster) || approved.has(cluster);
  return {
    proven,
    approvedOther: waves
      .filter(({ gate }) => gate.approval)
      .flatMap(({ clusters }) => clusters)
      .flatMap((cluster) => {
        const other = marks[asked.indexOf(cluster)]?.approvedOther;
        return other === undefined ? [] : [{ cluster, ...other }];
      }),
    approved: waves.filter(({ clusters }) => clusters.every(isApproved)).map(({ name }) => name),
  };
}

async function marksOf(release: Release, connect: Connect, clock: Clock): Promise<GateMarks> {
  const enough = new AbortController();
  const late = clock.sleep(LOOK_SECONDS * 1000, enough.signal).then(() => NOTHING);
  // A cluster that cannot be asked has to be approved like any other.
  const asked = connect(release.cluster)
    .then((client) => readGateMarks(release, client))
    .catch(() => NOTHING);
  const answer = await Promise.race([asked, late]);
  enough.abort();
  return answer;
}
