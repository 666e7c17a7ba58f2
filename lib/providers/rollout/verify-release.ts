import { refKey } from '../../engine/object.js';
import type { Release } from '../../engine/plan.js';
import type { ClusterClient } from '../cluster/client.js';
import { readSet, releaseHash } from './apply-set.js';
import type { ReleaseOptions } from './apply-release.js';
import { Board } from './board.js';
import { STEADY_CLOCK } from './clock.js';
import { patientClient } from './patient-client.js';
import { explainWaiting } from './pod-reasons.js';
import { readExisting } from './read-existing.js';
import type { ReleaseResult } from './result.js';
import { toFailure } from './result.js';
import { describeRef } from '../../engine/object.js';

/** Look, once and without writing, whether a release is on its cluster at its planned revisions and rolled out. */
export async function verifyRelease(
  release: Release,
  raw: ClusterClient,
  options: Pick<
    ReleaseOptions,
    'signal' | 'unreachableSeconds' | 'clock' | 'concurrency' | 'interpreters'
  > = {},
): Promise<ReleaseResult> {
  const { clock = STEADY_CLOCK, unreachableSeconds = 30, concurrency = 16 } = options;
  const signal = options.signal ?? new AbortController().signal;
  const client = patientClient(raw, { clock, silenceMs: unreachableSeconds * 1000, signal });
  const board = new Board(release.manifests, () => undefined, options.interpreters);
  const base = { cluster: release.cluster, changed: false, grown: false, proven: false };
  try {
    const set = await readSet(client, release);
    const refs = release.manifests.map(({ resource }) => resource);
    const existing = await readExisting(client, refs, concurrency, set);
    for (const { resource, shared } of release.manifests) {
      const live = existing.get(refKey(resource));
      if (live !== undefined) board.wrote(refKey(resource), shared ? 'left' : 'unchanged', live);
    }
    await explainWaiting(client, board);
    const failures = board.results
      .filter(({ ready }) => !ready)
      .map(({ resource, action, waitingFor }) => ({
        code: 'OBJECT_NOT_READY' as const,
        resource,
        message: `${describeRef(resource)} on ${release.cluster}: ${action === 'pending' ? 'it does not exist' : waitingFor}`,
      }));
    const outcome = failures.length === 0 ? 'ready' : 'failed';
    return {
      ...base,
      proven: set.contents.proven === releaseHash(release),
      outcome,
      objects: board.results,
      failures,
    };
  } catch (error) {
    const outcome = signal.aborted ? 'aborted' : 'failed';
    return { ...base, outcome, objects: board.results, failures: [toFailure(error)] };
  }
}
