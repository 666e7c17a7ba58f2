import type { Release } from '../../engine/plan.js';
import { applySetParent, contentsOf } from '../../engine/rollout/index.js';
import type { ClusterClient } from '../cluster/client.js';
import { applyRelease, type ReleaseOptions } from './apply-release.js';
import { readSet, releaseHash, setIdOf, writeSet } from './apply-set.js';
import { STEADY_CLOCK } from './clock.js';
import { patientClient } from './patient-client.js';
import { protectionOn } from './protection.js';
import { remove } from './remove.js';
import type { ReleaseFailure, ReleaseResult } from './result.js';
import { toFailure } from './result.js';

/** Whether the last step of the rollout has anything to do on this cluster as far as the plan knows. */
export function needsSettling(release: Release): boolean {
  return (
    release.deletions.length > 0 || release.manifests.some(({ growing }) => growing !== undefined)
  );
}

/**
 * The last step on one cluster: apply the plan's own numbers (what was grown shrinks), wait until that is rolled out, then
 * remove what the plan names, in its order, if it is in the set and ours; at last the set lists what is left.
 *
 * Nothing is removed when shrinking failed. An object that cannot be removed holds up no other (DELETE_REFUSED).
 */
export async function settleRelease(
  release: Release,
  raw: ClusterClient,
  options: Omit<ReleaseOptions, 'mode' | 'onApplied'> = {},
): Promise<ReleaseResult> {
  const { clock = STEADY_CLOCK, deadlineSeconds = 600, unreachableSeconds = 30 } = options;
  const signal = options.signal ?? new AbortController().signal;
  const deadlineAt = clock.now() + deadlineSeconds * 1000;
  const applied = await applyRelease(release, raw, { ...options, mode: 'settle' });
  if (applied.outcome !== 'ready') return applied;
  const client = patientClient(raw, { clock, silenceMs: unreachableSeconds * 1000, signal });
  const onProgress = options.onProgress ?? (() => undefined);
  const context = {
    ...{ client, setId: setIdOf(release), clock, signal, deadlineAt, onProgress },
    protection: protectionOn(client),
  };
  const failures: ReleaseFailure[] = [];
  for (const deletion of release.deletions) {
    if (signal.aborted) return { ...applied, outcome: 'aborted', failures };
    const failure = await remove(deletion, context);
    if (failure !== undefined) failures.push(failure);
  }
  if (failures.length === 0) failures.push(...(await narrowSet(release, client)));
  const changed = applied.changed || release.deletions.length > 0;
  return { ...applied, changed, outcome: failures.length === 0 ? 'ready' : 'failed', failures };
}

/** Everything is as planned: the set holds exactly the release, and the release has proven itself. */
async function narrowSet(
  release: Release,
  client: ClusterClient,
): Promise<readonly ReleaseFailure[]> {
  try {
    const set = await readSet(client, release);
    const members = release.manifests
      .filter(({ shared }) => !shared)
      .map(({ resource }) => resource);
    if (members.length === 0) await client.delete(applySetParent(set.application));
    else await writeSet(client, set, contentsOf(members, releaseHash(release)));
    return [];
  } catch (error) {
    return [toFailure(error)];
  }
}
