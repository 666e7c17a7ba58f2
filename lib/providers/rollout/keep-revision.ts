import type { FleetLock } from '../../api/fleet-lock.js';
import { refKey } from '../../engine/object.js';
import type { Interpreter } from '../../engine/interpret/index.js';
import type { Plan, Release } from '../../engine/plan.js';
import { withMemberFields } from '../../engine/render/index.js';
import {
  toKept,
  type GoingBack,
  type KeptIndex,
  type KeptRelease,
} from '../../engine/rollout/index.js';
import type { ClusterClient, Connect } from '../cluster/client.js';
import { releaseHash, sha256 } from './apply-set.js';
import { readKeptIndex, writeKept, writeKeptIndex } from './kept-store.js';
import { inParallel } from './pool.js';
import type { ReleaseResult } from './result.js';
import { toFailure } from './result.js';

/** The part of a plan that a rollout reads. */
export type RolloutPlan = Pick<
  Plan,
  'application' | 'environment' | 'now' | 'waves' | 'releases'
> & {
  readonly lock: Pick<FleetLock, 'serial'>;
  /** Of a rollback: away from the newest revision, to one that is kept. */
  readonly goesBack?: GoingBack;
};

export interface KeepOptions {
  /** A cluster where it could not be kept: that holds nothing up. */
  readonly note: (cluster: string, message: string) => void;
  /** Of the user: what their `Retain` leaves to the clusters is kept with the objects, since a rollback has no rules to ask. */
  readonly interpreters?: readonly Interpreter[];
}

interface Look extends KeptIndex {
  readonly release: Release;
  readonly client: ClusterClient;
}

const CLUSTERS_AT_ONCE = 32;

/**
 * A rollback begins: write down where it goes, so that one which does not get to its end is continued, and not taken for a
 * failed rollout. Never throws for what clusters do: a cluster that cannot be written to is told by the rollback itself.
 */
export async function announceRollback(plan: RolloutPlan, connect: Connect): Promise<void> {
  const { goesBack } = plan;
  // Back to the newest is what happens without a mark, too.
  if (goesBack === undefined || goesBack.from === goesBack.to) return;
  await inParallel(plan.releases, CLUSTERS_AT_ONCE, async (release) => {
    try {
      const client = await connect(release.cluster);
      const { entries } = await readKeptIndex(client, release);
      await writeKeptIndex(client, release, { entries, goingBack: goesBack });
    } catch {
      // The release's own requests will say so; any other cluster tells as much.
    }
  });
}

/**
 * A rollout is done: keep what every cluster has now, so that a later run can go back to it. Only clusters where something
 * changed since their newest revision get a new one; if none did, nothing is written.
 *
 * Each kept set lists the hashes of the whole fleet, so that a revision is found on every cluster, or is known to be
 * incomplete. Never throws for what clusters do.
 */
export async function keepRevision(
  plan: RolloutPlan,
  results: ReadonlyMap<string, ReleaseResult>,
  connect: Connect,
  options: KeepOptions,
): Promise<void> {
  const { releases } = withMemberFields(plan.releases, options.interpreters ?? []);
  const found = await inParallel(releases, CLUSTERS_AT_ONCE, async (release) => {
    try {
      const client = await connect(release.cluster);
      return [{ release, client, ...(await readKeptIndex(client, release)) }];
    } catch (error) {
      options.note(release.cluster, notKept(toFailure(error).message));
      return [];
    }
  });
  const looks: readonly Look[] = found.flat();
  const changed = looks.filter(isChanged);
  const { goesBack } = plan;
  const ended = looks.filter(
    (look) =>
      !isChanged(look) &&
      (look.goingBack !== undefined || (goesBack !== undefined && look.entries.length > 0)),
  );
  const wentBack = goesBack && { wentBack: { restores: goesBack.restores, at: plan.now } };
  const numbers = looks.flatMap(({ entries }) => entries.map(({ revision }) => revision));
  const revision = Math.max(0, ...numbers) + 1;
  await inParallel(changed, CLUSTERS_AT_ONCE, async ({ release, client, entries }) => {
    const kept = keptOf(plan, release, revision, results.get(release.cluster));
    try {
      const why = await writeKept(client, release, kept, { hash: hashOf(release), entries });
      if (why !== undefined) options.note(release.cluster, notKept(why));
    } catch (error) {
      options.note(release.cluster, notKept(toFailure(error).message));
    }
  });
  await inParallel(ended, CLUSTERS_AT_ONCE, async ({ release, client, entries }) => {
    try {
      await writeKeptIndex(client, release, { entries, ...wentBack });
    } catch (error) {
      options.note(release.cluster, toFailure(error).message);
    }
  });
}

function isChanged({ release, entries }: Look): boolean {
  return (entries.at(-1)?.hash ?? '') !== hashOf(release);
}

function keptOf(
  plan: RolloutPlan,
  release: Release,
  revision: number,
  result: ReleaseResult | undefined,
): KeptRelease {
  const { application, environment, cluster, manifests } = release;
  const uids = new Map(result?.objects.map(({ resource, uid }) => [refKey(resource), uid]));
  return {
    schemaVersion: 1,
    application,
    ...(environment !== undefined && { environment }),
    cluster,
    revision,
    at: plan.now,
    lockSerial: plan.lock.serial,
    ...(plan.goesBack !== undefined && { restores: plan.goesBack.restores }),
    fleet: Object.fromEntries(
      plan.releases
        .filter((one) => one.manifests.length > 0)
        .map((one) => [one.cluster, releaseHash(one)]),
    ),
    waves: plan.waves.map(({ name, clusters, maxConcurrent, gate }) => ({
      name,
      clusters,
      maxConcurrent,
      deadlineSeconds: gate.deadlineSeconds,
    })),
    manifests: manifests.map((one) => toKept(one, uids.get(refKey(one.resource)), sha256)),
  };
}

function hashOf(release: Release): string {
  return release.manifests.length === 0 ? '' : releaseHash(release);
}

function notKept(why: string): string {
  return `what it has now is not kept, so no later run can go back to it: ${why}`;
}
