import type { KubeObject, ObjectRef } from '../../api/object.js';
import { describeRef, flagName, refKey, refOf } from '../../engine/object.js';
import { isPrecious } from '../../engine/order.js';
import type { Release } from '../../engine/plan.js';
import {
  beforeNewest,
  isSecret,
  planRollback,
  type KeptManifest,
  type KeptRelease,
  type KeptWave,
  type RollbackRefusal,
  type RollbackTarget,
} from '../../engine/rollout/index.js';
import type { Connect } from '../cluster/client.js';
import { sha256 } from './apply-set.js';
import {
  readAny,
  readKeptFleet,
  summarize,
  unfinishedRollback,
  type KeptLook,
} from './kept-fleet.js';
import type { RolloutPlan } from './keep-revision.js';
import { readKept } from './kept-store.js';
import { listMembers } from './members.js';
import { inParallel } from './pool.js';
import { readExisting } from './read-existing.js';
import type { ReleaseFailure } from './result.js';
import { toFailure } from './result.js';
import { own } from '../../engine/own.js';

type Owner = Pick<Release, 'application' | 'environment'>;

export interface RollbackRequest extends Owner {
  /** Where to look and what to bring back; clusters of the chosen revision come along unless `waves` is given. */
  readonly clusters: readonly string[];
  /** @default the state before the newest, or the newest if that is not what every cluster has */
  readonly to?: number | 'newest';
  /** Order to go against, and the only clusters to touch. @default the order of the chosen revision, all clusters */
  readonly waves?: readonly KeptWave[];
  /** Leave Secrets that changed since as they are. @default false */
  readonly leaveSecrets?: boolean;
  /** CRDs and volumes that may go: `Kind/name` or `Kind/namespace/name`. */
  readonly acknowledge?: readonly string[];
  /** RFC 3339; stands in what is kept afterwards. */
  readonly now: string;
}

/** What a rollback will do. Nothing was written yet. Plain data. */
export interface PreparedRollback {
  readonly revision: number;
  /** Serial of the lock that the revision was planned with. */
  readonly lockSerial: number;
  readonly at: string;
  /** To be given to `runRollout`. */
  readonly plan: RolloutPlan;
  /** Clusters that cannot go back, and why. */
  readonly refusals: readonly RollbackRefusal[];
  /** Clusters that could not be read. */
  readonly unreadable: readonly { readonly cluster: string; readonly failure: ReleaseFailure }[];
  /** What the revision does not have and stays all the same. */
  readonly spared: readonly { readonly cluster: string; readonly resource: ObjectRef }[];
}

const CLUSTERS_AT_ONCE = 32;
const REQUESTS_AT_ONCE = 8;

/**
 * Find a kept revision and what going back to it means; `undefined` when there is none (or not the one asked for).
 *
 * Without a number: the newest kept one, after a rollout that was not done. If the newest is what every cluster has, the state
 * before it, never one that a rollback has left (ADR 0136). A rollback that was begun and is not done is continued.
 */
export async function prepareRollback(
  request: RollbackRequest,
  connect: Connect,
): Promise<PreparedRollback | undefined> {
  const known = await readKeptFleet(request, request.clusters, connect);
  const example = await chooseRevision(request, known.looks);
  if (example === undefined) return undefined;
  const more = Object.keys(example.fleet).filter((one) => !request.clusters.includes(one));
  const others = await readKeptFleet(request, request.waves === undefined ? more : [], connect);
  const looks = [...known.looks, ...others.looks];
  const targets: RollbackTarget[] = [];
  const refusals: RollbackRefusal[] = [];
  const unreadable = [...known.unreadable, ...others.unreadable];
  const spared: { cluster: string; resource: ObjectRef }[] = [];
  await inParallel(looks, CLUSTERS_AT_ONCE, async (look) => {
    const { cluster } = look;
    try {
      const kept = await keptOn(look, request, example);
      if (kept === undefined) {
        const message = `Revision ${example.revision} is not kept on ${cluster}.`;
        return void refusals.push({ cluster, message });
      }
      const target = await targetOf(look, kept);
      // Had nothing and has nothing: a cluster of the fleet that is not concerned.
      if (kept.length === 0 && target.members.length === 0) return;
      const [removable, precious] = split(target.members, kept, request.acknowledge ?? []);
      spared.push(...precious.map((object) => ({ cluster, resource: refOf(object) })));
      targets.push({ ...target, members: removable });
    } catch (error) {
      unreadable.push({ cluster, failure: toFailure(error) });
    }
  });
  const { application, environment, waves = example.waves, leaveSecrets = false } = request;
  const owner = { application, ...(environment !== undefined && { environment }) };
  const { revision, lockSerial, at } = example;
  const planned = planRollback({ ...owner, revision, waves, targets, leaveSecrets }, sha256);
  const byCluster = (a: { cluster: string }, b: { cluster: string }): number =>
    a.cluster < b.cluster ? -1 : 1;
  return {
    revision,
    lockSerial,
    at,
    plan: {
      ...owner,
      now: request.now,
      lock: { serial: lockSerial },
      goesBack: {
        from: Math.max(...summarize({ looks }).map((one) => one.revision)),
        to: revision,
        restores: example.restores ?? revision,
      },
      waves: planned.waves,
      releases: planned.releases,
    },
    refusals: [...refusals, ...planned.refusals].sort(byCluster),
    unreadable: unreadable.sort(byCluster),
    spared: spared.sort(byCluster),
  };
}

/** The kept set of the revision on any of the clusters: it describes the whole fleet. */
async function chooseRevision(
  request: RollbackRequest,
  looks: readonly KeptLook[],
): Promise<KeptRelease | undefined> {
  if (typeof request.to === 'number') return readAny(request, looks, request.to);
  const revisions = summarize({ looks });
  const begun = unfinishedRollback({ looks });
  const target = begun === undefined ? undefined : await readAny(request, looks, begun.to);
  if (target !== undefined) return target;
  const [newest] = revisions;
  if (newest === undefined) return undefined;
  const last = await readAny(request, looks, newest.revision);
  if (last === undefined || request.to === 'newest' || !isWhatIsThere(last, looks)) return last;
  const before = beforeNewest(revisions);
  return before === undefined ? undefined : readAny(request, looks, before);
}

function isWhatIsThere({ fleet }: KeptRelease, looks: readonly KeptLook[]): boolean {
  return looks.every(({ cluster, set }) => set.contents.proven === own(fleet, cluster));
}

/** What a cluster had; empty when the application was not there; `undefined` when it is not known any more. */
async function keptOn(
  { cluster, client, entries }: KeptLook,
  owner: Owner,
  example: KeptRelease,
): Promise<readonly KeptManifest[] | undefined> {
  const hash = own(example.fleet, cluster);
  if (hash === undefined) return [];
  const entry = entries.findLast((one) => one.hash === hash);
  const kept = entry === undefined ? undefined : await readKept(client, owner, entry);
  return kept?.manifests;
}

async function targetOf(
  { cluster, client, set }: KeptLook,
  kept: readonly KeptManifest[],
): Promise<RollbackTarget> {
  const refs = kept.flatMap(({ object }) => (isSecret(object) ? [refOf(object)] : []));
  const [members, secrets] = await Promise.all([
    listMembers(client, set, REQUESTS_AT_ONCE),
    readExisting(client, refs, REQUESTS_AT_ONCE),
  ]);
  return { cluster, kept, members, secrets };
}

/** What may go when the revision does not have it, and what holds data and stays. */
function split(
  members: readonly KubeObject[],
  kept: readonly KeptManifest[],
  acknowledge: readonly string[],
): readonly [readonly KubeObject[], readonly KubeObject[]] {
  const wanted = new Set(kept.map(({ object }) => refKey(refOf(object))));
  const isSpared = (object: KubeObject): boolean => {
    const ref = refOf(object);
    return isPrecious(object) && !wanted.has(refKey(ref)) && !acknowledge.includes(flagName(ref));
  };
  return [members.filter((object) => !isSpared(object)), members.filter(isSpared)];
}

/** For reports: everything that keeps clusters from going back, one sentence each. */
export function describeObstacles({ refusals, unreadable }: PreparedRollback): readonly string[] {
  return [
    ...refusals.map(({ resource, message, cluster }) =>
      resource === undefined || message.includes(resource.name)
        ? message
        : `${describeRef(resource)} on ${cluster}: ${message}`,
    ),
    ...unreadable.map(({ failure }) => failure.message),
  ];
}
