import type { ObjectRef } from '../../api/object.js';
import { refKey } from '../../engine/object.js';
import { isPrecious } from '../../engine/order.js';
import { entriesOf, FIELD_MANAGERS } from '../../engine/rollout/ownership.js';
import type { ClusterClient } from '../cluster/client.js';
import { STEADY_CLOCK, type Clock } from '../rollout/clock.js';
import { Mirror } from './mirror.js';
import { removeHeldPolicy } from './remove-templates.js';
import { waitForChange } from './wait-for-change.js';

export interface DestroyedTemplate {
  readonly resource: ObjectRef;
  /** `kept`: not ours to delete, or never deleted. `leftBehind`: gone, and its policy leaves the members' copies. */
  readonly outcome: 'deleted' | 'absent' | 'kept' | 'leftBehind' | 'deleting';
  /** Clusters on which Karmada had it, or still has. Sorted. */
  readonly clusters: readonly string[];
  readonly reason?: string;
}

/**
 * Delete templates from a control plane, and wait until their Works are gone: Karmada then deletes the copies of all members
 * within a second, suspended or not (recording c4), unless the policy preserves them.
 *
 * Objects that `fleetwright` has never applied stay, as do namespaces, CRDs and volumes, policies and overrides. Sorted like
 * `resources`.
 * @throws {@link ProviderError}
 */
export async function destroyOnControlPlane(
  resources: readonly ObjectRef[],
  client: ClusterClient,
  options: { readonly waitSeconds?: number; readonly clock?: Clock } = {},
): Promise<readonly DestroyedTemplate[]> {
  const { waitSeconds = 60, clock = STEADY_CLOCK } = options;
  const mirror = new Mirror(client);
  await mirror.start();
  try {
    const deleted: DestroyedTemplate[] = [];
    for (const resource of resources) deleted.push(await deleteOne(resource, client, mirror));
    const until = clock.now() + waitSeconds * 1000;
    const isThere = ({ resource, outcome }: DestroyedTemplate): boolean =>
      outcome === 'deleted' && mirror.clustersOf(resource).length > 0;
    while (deleted.some(isThere) && clock.now() < until)
      await waitForChange(mirror, clock, Math.min(until, clock.now() + 1000));
    return deleted.map((one) =>
      isThere(one)
        ? { ...one, outcome: 'deleting', clusters: mirror.clustersOf(one.resource) }
        : one,
    );
  } finally {
    mirror.stop();
  }
}

async function deleteOne(
  resource: ObjectRef,
  client: ClusterClient,
  mirror: Mirror,
): Promise<DestroyedTemplate> {
  const clusters = mirror.clustersOf(resource);
  if (isPrecious(resource))
    return { resource, outcome: 'kept', clusters, reason: `a ${resource.kind} is never deleted` };
  const live = await client.get(resource);
  if (live === undefined) return { resource, outcome: 'absent', clusters };
  if (!entriesOf(live).some(({ manager }) => manager === FIELD_MANAGERS.own))
    return { resource, outcome: 'kept', clusters, reason: 'it was not written by fleetwright' };
  const isPreserved =
    mirror.view([{ resource }]).bindings.get(refKey(resource))?.isPreserved === true;
  const { uid } = live.metadata;
  await client.delete(resource, uid === undefined ? {} : { uid });
  await removeHeldPolicy(resource, client);
  return isPreserved
    ? { resource, outcome: 'leftBehind', clusters, reason: 'its policy preserves it on deletion' }
    : { resource, outcome: 'deleted', clusters };
}
