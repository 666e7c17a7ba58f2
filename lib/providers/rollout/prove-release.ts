import type { KubeObject } from '../../api/object.js';
import type { Release } from '../../engine/plan.js';
import { applicationMark } from '../../engine/plan.js';
import {
  applySetParent,
  entriesOf,
  FIELD_MANAGERS,
  SET_MARKS,
} from '../../engine/rollout/index.js';
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
  /** A person has let another release pass, which has not passed since: it was changed after it was approved. */
  readonly approvedOther?: OtherApproval;
}

/** An approval that does not count for what is planned now. */
export interface OtherApproval {
  /** {@link releaseHash} of what was approved. */
  readonly approved: string;
  /** Of what is planned. */
  readonly planned: string;
  /** RFC 3339, when it was recorded; absent: not known. */
  readonly at?: string;
}

export async function readGateMarks(release: Release, client: ClusterClient): Promise<GateMarks> {
  if (release.manifests.length === 0) return { proven: true, approved: true };
  const parent = await client.get(applySetParent(applicationMark(release)));
  const { labels = {}, annotations = {} } = parent?.metadata ?? {};
  const isOurs = labels[SET_MARKS.id] === setIdOf(release);
  const planned = releaseHash(release);
  const proven = isOurs ? annotations[SET_MARKS.proven] : undefined;
  const approved = isOurs ? annotations[SET_MARKS.approved] : undefined;
  const isOther = approved !== undefined && approved !== planned && approved !== proven;
  const at = parent === undefined ? undefined : approvedAt(parent);
  return {
    proven: proven === planned,
    approved: approved === planned,
    ...(isOther && { approvedOther: { approved, planned, ...(at !== undefined && { at }) } }),
  };
}

function approvedAt(parent: KubeObject): string | undefined {
  return entriesOf(parent).find(({ manager }) => manager === FIELD_MANAGERS.approval)?.time;
}

/** For people: what is recorded, and that it is for something else. */
export function describeOtherApproval({ approved, planned, at }: OtherApproval): string {
  const when = at === undefined ? '' : ` at ${at}`;
  return `an approval was recorded${when} for release ${approved}, and what is planned now is release ${planned}: it was changed after that, and needs an approval of its own`;
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
