import type { ObjectRef } from '../../api/object.js';
import { heldPolicyOf } from '../../engine/karmada/index.js';
import { isOf, refKey, refOf } from '../../engine/object.js';
import type { Plan } from '../../engine/plan.js';
import { entriesOf, FIELD_MANAGERS } from '../../engine/rollout/ownership.js';
import type { ClusterClient } from '../cluster/client.js';
import type { KarmadaDocuments } from './documents.js';
import type { Prepared } from './prepare.js';

/**
 * Delete templates that the plan removes from every cluster, and the policies that held them as dependencies: deleting them
 * deletes all members' copies within a second. Returns them, in the plan's order.
 * @throws {@link ProviderError}
 */
export async function removeTemplates(
  plan: Plan,
  { documents }: Prepared,
  client: ClusterClient,
): Promise<readonly ObjectRef[]> {
  const gone = removalsOf(plan, documents);
  for (const resource of gone) {
    await client.delete(resource);
    await removeHeldPolicy(resource, client);
  }
  return gone;
}

/** Templates that the plan removes from every cluster and the documents no longer have, in the plan's order. */
export function removalsOf(plan: Plan, documents: KarmadaDocuments): readonly ObjectRef[] {
  const wanted = new Set(documents.templates.map((object) => refKey(refOf(object))));
  const gone = new Map(
    plan.releases
      .flatMap(({ deletions }) => deletions)
      .filter(({ resource }) => !wanted.has(refKey(resource)) && !isOf(resource, '', 'Namespace'))
      .map(({ resource }) => [refKey(resource), resource]),
  );
  return [...gone.values()];
}

/**
 * A dependency's own policy goes with it: it selects nothing any more. One of the same name that we did not write stays.
 * @throws {@link ProviderError}
 */
export async function removeHeldPolicy(resource: ObjectRef, client: ClusterClient): Promise<void> {
  const policy = heldPolicyOf(resource);
  const live = await client.get(policy);
  if (live === undefined) return;
  if (!entriesOf(live).some(({ manager }) => manager === FIELD_MANAGERS.own)) return;
  const { uid } = live.metadata;
  await client.delete(policy, uid === undefined ? {} : { uid });
}
