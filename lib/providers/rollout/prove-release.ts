import type { Release } from '../../engine/plan.js';
import { applicationMark } from '../../engine/plan.js';
import { applySetParent, FIELD_MANAGERS, SET_MARKS } from '../../engine/rollout/index.js';
import type { ClusterClient } from '../cluster/client.js';
import { readSet, releaseHash, setIdOf, writeSet } from './apply-set.js';

/**
 * Record on the cluster that this release has passed its gate, so that a later run neither soaks nor asks again for it.
 * @throws {@link ProviderError}
 */
export async function proveRelease(release: Release, client: ClusterClient): Promise<void> {
  const set = await readSet(client, release);
  await writeSet(client, set, { ...set.contents, proven: releaseHash(release) });
}

/** Whether the cluster says so. A cluster without a set has proven nothing. */
export async function isProven(release: Release, client: ClusterClient): Promise<boolean> {
  if (release.manifests.length === 0) return true;
  const set = await readSet(client, release);
  return set.contents.proven === releaseHash(release);
}

/** What a cluster says about a gate, for exactly this release. */
export interface GateMarks {
  /** It has passed it. */
  readonly proven: boolean;
  /** A person has let it pass in advance. */
  readonly approved: boolean;
}

export async function readGateMarks(release: Release, client: ClusterClient): Promise<GateMarks> {
  if (release.manifests.length === 0) return { proven: true, approved: true };
  const parent = await client.get(applySetParent(applicationMark(release)));
  const { labels = {}, annotations = {} } = parent?.metadata ?? {};
  const isOurs = labels[SET_MARKS.id] === setIdOf(release);
  const hash = releaseHash(release);
  return {
    proven: isOurs && annotations[SET_MARKS.proven] === hash,
    approved: isOurs && annotations[SET_MARKS.approved] === hash,
  };
}

/**
 * Record on the cluster that a person lets this release pass: a later run does not ask again. Anything else that is planned
 * there, were it one label, needs an approval of its own. The mark survives runs, since a manager of its own holds it.
 * @throws {@link ProviderError}
 */
export async function approveRelease(release: Release, client: ClusterClient): Promise<void> {
  const { id } = await readSet(client, release);
  const { apiVersion, kind, namespace, name } = applySetParent(applicationMark(release));
  const annotations = { [SET_MARKS.approved]: releaseHash(release) };
  await client.apply(
    {
      apiVersion,
      kind,
      metadata: { name, namespace, labels: { [SET_MARKS.id]: id }, annotations },
    },
    { fieldManager: FIELD_MANAGERS.approval, force: true },
  );
}
