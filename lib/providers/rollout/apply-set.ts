import { createHash } from 'node:crypto';
import type { KubeObject, ObjectRef } from '../../api/object.js';
import { canonicalJson, equalData } from '../../engine/canonical.js';
import type { Release } from '../../engine/plan.js';
import { applicationMark } from '../../engine/plan.js';
import {
  applySetId,
  applySetParent,
  contentsOf,
  parentObject,
  readParent,
  SET_MARKS,
  unionOf,
  type SetContents,
} from '../../engine/rollout/index.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** One application's set on one cluster, as it was read. */
export interface ApplySet {
  readonly application: string;
  readonly id: string;
  readonly contents: SetContents;
}

export function setIdOf(release: Pick<Release, 'application' | 'environment'>): string {
  return applySetId(applicationMark(release), sha256);
}

/** Identity of all that a release holds: what a cluster has proven when its gate opened. */
export function releaseHash(release: Release): string {
  const parts = release.manifests.map(({ resource, revision }) => [resource, revision]);
  return sha256(canonicalJson(parts)).slice(0, 16);
}

/**
 * Read the set's parent; an empty set when there is none.
 * @throws {@link ProviderError} `conflict` when the parent's name is taken by something that is no set of ours.
 */
export async function readSet(
  client: ClusterClient,
  release: Pick<Release, 'application' | 'environment'>,
): Promise<ApplySet> {
  const application = applicationMark(release);
  const id = applySetId(application, sha256);
  const ref = applySetParent(application);
  const parent = await client.get(ref);
  if (parent !== undefined && parent.metadata.labels?.[SET_MARKS.id] !== id)
    throw taken(client, parent, ref);
  return { application, id, contents: readParent(parent) };
}

/** Make the parent cover these objects too, before they are written; no request when it does already. */
export async function widenSet(
  client: ClusterClient,
  set: ApplySet,
  resources: readonly ObjectRef[],
  proven: string | undefined,
): Promise<ApplySet> {
  if (resources.length === 0) return set;
  return writeSet(client, set, unionOf(set.contents, contentsOf(resources, proven)));
}

/** Take the parent away again that this run made, since nothing came of it; an older one stays. */
export async function forgetSet(client: ClusterClient, set: ApplySet): Promise<void> {
  if (set.contents.groupKinds.length === 0) await client.delete(applySetParent(set.application));
}

/** Write what the set holds now; no request when nothing changes. */
export async function writeSet(
  client: ClusterClient,
  set: ApplySet,
  contents: SetContents,
): Promise<ApplySet> {
  const isThere = set.contents.groupKinds.length > 0;
  if (isThere && equalData(contents, set.contents)) return set;
  await client.apply(parentObject(set.application, set.id, contents), { force: true });
  return { ...set, contents };
}

function taken(client: ClusterClient, parent: KubeObject, resource: ObjectRef): ProviderError {
  return new ProviderError(
    'conflict',
    `${client.cluster}: ConfigMap ${resource.namespace ?? ''}/${resource.name} exists and is no list of a set: its label ${SET_MARKS.id} is ${JSON.stringify(parent.metadata.labels?.[SET_MARKS.id] ?? null)}`,
    { cluster: client.cluster, resource },
  );
}
