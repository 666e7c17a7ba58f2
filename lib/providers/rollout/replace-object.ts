import type { KubeObject } from '../../api/object.js';
import { describeRef, flagName } from '../../engine/object.js';
import { isPrecious } from '../../engine/order.js';
import type { Manifest } from '../../engine/plan.js';
import { MARKS } from '../../engine/plan.js';
import {
  immutableChanges,
  mayBeReplaced,
  OBJECT_HINTS,
  whatHolds,
} from '../../engine/rollout/index.js';
import { ProviderError } from '../cluster/client.js';
import type { ReleaseFailure } from './result.js';
import { ReleaseFailed } from './result.js';
import type { WriteContext } from './write-context.js';

/**
 * Whether an object has to be deleted before it is made anew: a field changes that cannot change in place, and either the
 * plan says `replace` or the template allows it for good (never what holds data: that is allowed by name only).
 */
export function isReplaced(manifest: Manifest, live: KubeObject): boolean {
  const { action, object, revision } = manifest;
  if (live.metadata.annotations?.[MARKS.revision] === revision) return false;
  const isAllowed = action === 'replace' || (mayBeReplaced(object) && !isPrecious(object));
  return isAllowed && immutableChanges(object, live).length > 0;
}

/** @throws {@link ReleaseFailed} when it is protected, or does not go before the deadline. */
export async function makeRoom(
  live: KubeObject,
  manifest: Manifest,
  context: WriteContext,
): Promise<void> {
  const { client } = context;
  const { resource } = manifest;
  const protection = await context.protection(live);
  if (protection !== undefined)
    throw new ReleaseFailed({
      code: 'DELETION_PROTECTED',
      resource,
      message: `${describeRef(resource)} on ${client.cluster} cannot be replaced: ${protection}`,
    });
  const { uid } = live.metadata;
  await client.delete(resource, uid === undefined ? {} : { uid });
  await untilGone(live, manifest, context);
}

/** @throws {@link ReleaseFailed} at the deadline, with what it waits for. */
export async function untilGone(
  live: KubeObject,
  { resource }: Manifest,
  context: WriteContext,
): Promise<void> {
  const { client, clock, signal, deadlineAt } = context;
  for (let pause = 50; ; pause = Math.min(2_000, pause * 2)) {
    const there = await client.get(resource);
    if (there === undefined || there.metadata.uid !== live.metadata.uid) return;
    if (signal.aborted || clock.now() >= deadlineAt) {
      throw new ReleaseFailed({
        code: 'OBJECT_NOT_READY',
        resource,
        message: `${describeRef(resource)} on ${client.cluster} is being deleted and cannot be made anew before it is gone: it waits for ${whatHolds(there)}`,
      });
    }
    await clock.sleep(pause, signal);
  }
}

/** The server refused a change that the plan took for one in place: which fields, and what to do. */
export function immutableFailure(
  { object, resource }: Manifest,
  live: KubeObject | undefined,
  error: unknown,
): ReleaseFailure | undefined {
  if (live === undefined || !ProviderError.is(error) || error.facts.status !== 422)
    return undefined;
  const fields = immutableChanges(object, live);
  if (fields.length === 0) return undefined;
  const named = flagName(resource);
  const permit = isPrecious(resource)
    ? ''
    : `, or allow it for good with the annotation ${OBJECT_HINTS.replace}: immutable`;
  return {
    code: 'FIELD_IMMUTABLE',
    resource,
    message: `${describeRef(resource)} on ${error.facts.cluster} cannot change in place (${fields.join(', ')}), and the plan did not say that it is replaced: it stays as it was. Give the new one another name; or replace it with \`fleetwright up --acknowledge FIELD_IMMUTABLE=${named}\`${permit}.`,
  };
}
