import type { KubeObject, ObjectRef } from '../../api/object.js';
import { compareBy, compareNumbers, descending, inOrder, sorted } from '../compare.js';
import { describeRef, refKey, refOf } from '../object.js';
import type { Deletion, Gate, Manifest, PlannedWave, Release } from '../plan.js';
import { MARKS } from '../plan.js';
import { applyRank } from '../render/apply-order.js';
import { isSecret, keyOfKept, secretProof, type KeptManifest, type KeptWave } from './kept.js';

/** One cluster that goes back. */
export interface RollbackTarget {
  readonly cluster: string;
  /** What was kept there; empty: the application was not there then. */
  readonly kept: readonly KeptManifest[];
  /** Objects of our set that are there now and may be removed. */
  readonly members: readonly KubeObject[];
  /** Live Secrets that the kept set names, by resource key. */
  readonly secrets: ReadonlyMap<string, KubeObject>;
}

export interface RollbackRequest {
  readonly application: string;
  readonly environment?: string;
  readonly revision: number;
  /** In the order in which they rolled out. */
  readonly waves: readonly KeptWave[];
  readonly targets: readonly RollbackTarget[];
  /** Leave Secrets that changed since as they are, instead of refusing. */
  readonly leaveSecrets: boolean;
}

/** Why a cluster cannot go back. */
export interface RollbackRefusal {
  readonly cluster: string;
  readonly resource?: ObjectRef;
  readonly message: string;
}

export interface RollbackPlan {
  readonly waves: readonly PlannedWave[];
  /** Of the clusters that can go back, in the order of the waves. */
  readonly releases: readonly Release[];
  readonly refusals: readonly RollbackRefusal[];
}

const DEFAULT_DEADLINE_SECONDS = 600;

/**
 * A rollback is a rollout of what was kept: waves in reverse order, without soak and approval, and a cluster that fails
 * holds up no other. As in any rollout it grows first; it shrinks and removes at the very end, when all are ready.
 *
 * Removed is what our set has now and the kept revision has not, against the order of applying. Clusters that stood in no
 * wave then (they are newer) come first.
 */
export function planRollback(
  request: RollbackRequest,
  hash: (text: string) => string,
): RollbackPlan {
  const refusals = request.targets.flatMap((target) => refusalsOf(target, request, hash));
  const refused = new Set(refusals.map(({ cluster }) => cluster));
  const possible = request.targets.filter(({ cluster }) => !refused.has(cluster));
  const waves = reversedWaves(
    request.waves,
    possible.map(({ cluster }) => cluster),
  );
  const byCluster = new Map(possible.map((target) => [target.cluster, target]));
  const releases = waves.flatMap((wave) =>
    wave.clusters.flatMap((cluster): readonly Release[] => {
      const target = byCluster.get(cluster);
      return target === undefined ? [] : [releaseOf(target, wave.name, request)];
    }),
  );
  return { waves, releases, refusals };
}

function refusalsOf(
  { cluster, kept, secrets }: RollbackTarget,
  { revision, leaveSecrets }: RollbackRequest,
  hash: (text: string) => string,
): readonly RollbackRefusal[] {
  return kept.flatMap((manifest): readonly RollbackRefusal[] => {
    if (!isSecret(manifest.object)) return [];
    const live = secrets.get(keyOfKept(manifest));
    if (live !== undefined && (leaveSecrets || isTheSame(live, manifest, hash))) return [];
    const resource = refOf(manifest.object);
    const what = live === undefined ? 'is gone' : `changed since revision ${revision}`;
    const message = `${describeRef(resource)} on ${cluster} ${what}, and the data of Secrets is not kept.`;
    return [{ cluster, resource, message }];
  });
}

function isTheSame(
  { metadata }: KubeObject,
  { proof = '' }: KeptManifest,
  hash: (text: string) => string,
): boolean {
  const revision = metadata.annotations?.[MARKS.revision];
  if (metadata.uid === undefined || revision === undefined) return false;
  return secretProof(metadata.uid, revision, hash) === proof;
}

function reversedWaves(
  waves: readonly KeptWave[],
  clusters: readonly string[],
): readonly PlannedWave[] {
  const wanted = new Set(clusters);
  const known = new Set(waves.flatMap((wave) => wave.clusters));
  const newer = clusters.filter((cluster) => !known.has(cluster));
  const name = freeName(waves);
  const late: KeptWave = {
    name,
    clusters: newer,
    maxConcurrent: Math.max(1, newer.length),
    deadlineSeconds: DEFAULT_DEADLINE_SECONDS,
  };
  return [...waves, late].reverse().flatMap((wave): readonly PlannedWave[] => {
    const members = wave.clusters.filter((cluster) => wanted.has(cluster)).reverse();
    if (members.length === 0) return [];
    const gate: Gate = {
      soakSeconds: 0,
      deadlineSeconds: wave.deadlineSeconds,
      maxFailures: members.length,
      approval: false,
    };
    return [{ name: wave.name, clusters: members, maxConcurrent: wave.maxConcurrent, gate }];
  });
}

function freeName(waves: readonly KeptWave[]): string {
  const taken = new Set(waves.map((wave) => wave.name));
  let name = 'newer';
  for (let number = 2; taken.has(name); number++) name = `newer-${number}`;
  return name;
}

function releaseOf(
  { cluster, kept, members, secrets }: RollbackTarget,
  wave: string,
  { application, environment, revision }: RollbackRequest,
): Release {
  const keys = new Set(kept.map(keyOfKept));
  const surplus = members.map(refOf).filter((resource) => !keys.has(refKey(resource)));
  const order = inOrder<ObjectRef>(
    (a, b) => compareNumbers(applyRank(b), applyRank(a)),
    descending(compareBy(refKey)),
  );
  return {
    application,
    ...(environment !== undefined && { environment }),
    cluster,
    wave,
    manifests: kept.map((manifest) => manifestOf(manifest, secrets)),
    deletions: sorted(surplus, order).map((resource): Deletion => ({
      resource,
      reason: `revision ${revision} does not have it`,
    })),
  };
}

function manifestOf(kept: KeptManifest, secrets: ReadonlyMap<string, KubeObject>): Manifest {
  const { proof: _proof, ...rest } = kept;
  const resource = refOf(kept.object);
  const live = isSecret(kept.object) ? secrets.get(keyOfKept(kept)) : undefined;
  if (live === undefined) return { ...rest, resource, action: 'update' };
  return {
    ...rest,
    resource,
    object: asApplied(live),
    revision: live.metadata.annotations?.[MARKS.revision] ?? '',
    action: 'none',
  };
}

/** A live Secret as something to apply that changes nothing. */
function asApplied(live: KubeObject): KubeObject {
  const { metadata, status: _status, ...content } = live;
  const { name = '', namespace, annotations } = metadata;
  const application = annotations?.[MARKS.application];
  return {
    ...content,
    apiVersion: live.apiVersion,
    kind: live.kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(application !== undefined && { annotations: { [MARKS.application]: application } }),
    },
  };
}
