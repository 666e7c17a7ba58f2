import type { KubeObject, ObjectRef } from '../../api/object.js';
import { compareBy, compareNumbers, inOrder, sorted } from '../../engine/compare.js';
import { refKey, refOf } from '../../engine/object.js';
import type { Release } from '../../engine/plan.js';
import { applyRank } from '../../engine/render/apply-order.js';
import { applySetParent } from '../../engine/rollout/index.js';
import type { ClusterClient } from '../cluster/client.js';
import type { ReleaseOptions } from './apply-release.js';
import { readSet } from './apply-set.js';
import { STEADY_CLOCK } from './clock.js';
import { removeKept } from './kept-store.js';
import { protectedAmong, reasonToKeep, type RemovalWishes } from './look-before-destroy.js';
import { listMembers } from './members.js';
import { patientClient } from './patient-client.js';
import { inParallel } from './pool.js';
import { protectionOn } from './protection.js';
import { letGo, remove } from './remove.js';
import type { ReleaseFailure } from './result.js';
import { toFailure } from './result.js';

export interface DestroyOptions extends Omit<ReleaseOptions, 'mode' | 'onApplied'>, RemovalWishes {}

export interface DestroyResult {
  readonly cluster: string;
  /** `aborted`: interrupted; running it again continues. */
  readonly outcome: 'done' | 'failed' | 'aborted';
  /** In the order in which they went. */
  readonly deleted: readonly ObjectRef[];
  /** What stays on purpose, and why. */
  readonly kept: readonly { readonly resource: ObjectRef; readonly reason: string }[];
  readonly failures: readonly ReleaseFailure[];
}

/**
 * Remove an application from one cluster: everything that its set on the cluster lists, whatever the plan says, against
 * the order in which it was applied. Deleting what is gone is done; running it again continues. If anything of it is
 * protected, nothing is removed: half an application is worse than a whole one.
 */
export async function destroyRelease(
  release: Pick<Release, 'application' | 'environment' | 'cluster'>,
  raw: ClusterClient,
  options: DestroyOptions = {},
): Promise<DestroyResult> {
  const {
    clock = STEADY_CLOCK,
    deadlineSeconds = 300,
    unreachableSeconds = 30,
    concurrency = 16,
  } = options;
  const signal = options.signal ?? new AbortController().signal;
  const client = patientClient(raw, { clock, silenceMs: unreachableSeconds * 1000, signal });
  const onProgress = options.onProgress ?? (() => undefined);
  const deleted: ObjectRef[] = [];
  const kept: { resource: ObjectRef; reason: string }[] = [];
  const failures: ReleaseFailure[] = [];
  const result = (): DestroyResult => ({
    cluster: release.cluster,
    outcome: signal.aborted ? 'aborted' : failures.length > 0 ? 'failed' : 'done',
    deleted,
    kept,
    failures,
  });
  try {
    const set = await readSet(client, release);
    const context = {
      client,
      setId: set.id,
      clock,
      signal,
      deadlineAt: clock.now() + deadlineSeconds * 1000,
      onProgress,
      protection: protectionOn(client),
    };
    const members = await listMembers(client, set, concurrency);
    const doomed = members.filter((object) => reasonToKeep(object, options) === undefined);
    failures.push(...(await protectedAmong(doomed, release.cluster, context.protection)));
    if (failures.length > 0) return result();
    for (const group of againstTheRanks(members)) {
      if (signal.aborted) break;
      await inParallel(group, concurrency, async (object) => {
        const resource = refOf(object);
        const reason = reasonToKeep(object, options);
        if (reason !== undefined) {
          await letGo(object, client);
          kept.push({ resource, reason });
          return;
        }
        const failure = await remove({ resource }, context);
        if (failure === undefined) deleted.push(resource);
        else if (!isInterruption(failure, signal)) failures.push(failure);
      });
    }
    if (failures.length === 0 && !signal.aborted) {
      await removeKept(client, release);
      await client.delete(applySetParent(set.application));
    }
  } catch (error) {
    const failure = toFailure(error);
    if (!isInterruption(failure, signal)) failures.push(failure);
  }
  return result();
}

/** Requests that were not sent, or not waited for, since a person ended the run: that says nothing about the cluster. */
export function isInterruption({ code }: ReleaseFailure, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && code === 'CLUSTER_UNREACHABLE';
}

/** Groups of equal rank, last applied first. */
function againstTheRanks(objects: readonly KubeObject[]): readonly (readonly KubeObject[])[] {
  const order = inOrder<KubeObject>(
    (a, b) => compareNumbers(applyRank(b), applyRank(a)),
    compareBy((object) => refKey(refOf(object))),
  );
  const groups: KubeObject[][] = [];
  for (const object of sorted(objects, order)) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    if (last !== undefined && first !== undefined && applyRank(first) === applyRank(object))
      last.push(object);
    else groups.push([object]);
  }
  return groups;
}
