import type { KubeObject } from '../../api/object.js';
import { describeRef, refKey } from '../../engine/object.js';
import type { Manifest, Release } from '../../engine/plan.js';
import { applicationMark } from '../../engine/plan.js';
import { isFreeFor, ownershipOf } from '../../engine/rollout/index.js';
import type { ClusterClient } from '../cluster/client.js';
import type { ApplySet } from './apply-set.js';
import { readExisting } from './read-existing.js';
import type { ReleaseFailure } from './result.js';

/** What a cluster has of a release, before anything is written. */
export interface LookAtRelease {
  /** By resource key. */
  readonly existing: ReadonlyMap<string, KubeObject>;
  /** Objects that are somebody else's (APPLY_CONFLICT): with any of them nothing may be written at all. */
  readonly foreign: readonly ReleaseFailure[];
}

export async function lookAtRelease(
  release: Release,
  client: ClusterClient,
  set: ApplySet,
  concurrency: number,
): Promise<LookAtRelease> {
  const refs = release.manifests.map(({ resource }) => resource);
  const existing = await readExisting(client, refs, concurrency, set);
  const facts = { owner: applicationMark(release), setId: set.id, cluster: client.cluster };
  return {
    existing,
    foreign: release.manifests.flatMap((manifest) => conflictOf(manifest, existing, facts)),
  };
}

function conflictOf(
  { resource, conflictResolution, shared }: Manifest,
  existing: ReadonlyMap<string, KubeObject>,
  { owner, setId, cluster }: { owner: string; setId: string; cluster: string },
): readonly ReleaseFailure[] {
  const live = existing.get(refKey(resource));
  if (live === undefined || shared || conflictResolution === 'Overwrite') return [];
  const ownership = ownershipOf(live, setId);
  if (ownership.kind === 'ours' || isFreeFor(live, owner)) return [];
  const message = `${describeRef(resource)} on ${cluster} exists and is managed by ${ownership.owner}, not by application "${owner}"; nothing was written. Set conflictResolution: Overwrite in its policy to take it over.`;
  return [{ code: 'APPLY_CONFLICT', resource, message }];
}
