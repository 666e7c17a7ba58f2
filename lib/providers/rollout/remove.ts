import type { KubeObject } from '../../api/object.js';
import { describeRef } from '../../engine/object.js';
import type { Deletion } from '../../engine/plan.js';
import { MARKS } from '../../engine/plan.js';
import {
  FIELD_MANAGERS,
  LEFT_BY_MARK,
  ownershipOf,
  PRESERVE_MARK,
  whatHolds,
} from '../../engine/rollout/index.js';
import type { ClusterClient } from '../cluster/client.js';
import type { Clock } from './clock.js';
import type { AskProtection } from './protection.js';
import type { ReleaseFailure, ReleaseProgress } from './result.js';
import { toFailure } from './result.js';

export interface RemoveContext {
  readonly client: ClusterClient;
  readonly setId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
  readonly protection: AskProtection;
  readonly onProgress: (progress: ReleaseProgress) => void;
}

/**
 * Remove one object and wait until it is gone; `undefined`: it is, or was never there.
 *
 * An object that is to be preserved is let go of instead, and stays.
 * Only what carries our set's label is removed, and only the very object that was read (by UID). DELETE_REFUSED when it is
 * somebody else's, protected (it or its namespace), or does not go before the deadline (with the finalizers it waits for).
 */
export async function remove(
  deletion: Pick<Deletion, 'resource'>,
  context: RemoveContext,
): Promise<ReleaseFailure | undefined> {
  const { client, setId, onProgress } = context;
  const { resource } = deletion;
  try {
    const live = await client.get(resource);
    if (live === undefined) return undefined;
    const ownership = ownershipOf(live, setId);
    if (ownership.kind === 'others')
      return refused(context, deletion, `is managed by ${ownership.owner}`);
    if (live.metadata.annotations?.[PRESERVE_MARK] !== undefined) {
      await letGo(live, client);
      return undefined;
    }
    const protection = await context.protection(live);
    if (protection !== undefined) return refused(context, deletion, `stays: ${protection}`);
    const { uid } = live.metadata;
    if (live.metadata.deletionTimestamp === undefined)
      await client.delete(resource, uid === undefined ? {} : { uid });
    const stuck = await untilGone(live, deletion, context);
    if (stuck === undefined) onProgress({ kind: 'deleted', resource });
    return stuck;
  } catch (error) {
    return toFailure(error, resource);
  }
}

/** Length of a pause between looks from which on it is told what an object waits for. */
const TELL_FROM_MS = 160;

async function untilGone(
  live: KubeObject,
  deletion: Pick<Deletion, 'resource'>,
  context: RemoveContext,
): Promise<ReleaseFailure | undefined> {
  const { client, clock, signal, deadlineAt } = context;
  let told = '';
  for (let pause = 20; ; pause = Math.min(2_000, pause * 2)) {
    const there = await client.get(deletion.resource);
    if (there === undefined || there.metadata.uid !== live.metadata.uid) return undefined;
    if (signal.aborted || clock.now() >= deadlineAt) {
      return refused(context, deletion, `is being deleted and waits for ${whatHolds(there)}`);
    }
    // What goes at once need not be talked about.
    const waitingFor = pause < TELL_FROM_MS ? told : `being deleted, waits for ${whatHolds(there)}`;
    if (waitingFor !== told)
      context.onProgress({ kind: 'waiting', resource: deletion.resource, waitingFor });
    told = waitingFor;
    await clock.sleep(pause, signal);
  }
}

/** Leave the object where it is and let go of it: without our marks it belongs to nobody, and we may take it back. */
export async function letGo(live: KubeObject, client: ClusterClient): Promise<void> {
  const { labels = {}, annotations = {}, name = '', namespace } = live.metadata;
  const { [MARKS.partOf]: _p, ...keptLabels } = labels;
  const {
    [MARKS.application]: application,
    [MARKS.revision]: _r,
    [MARKS.generation]: _g,
    [PRESERVE_MARK]: _k,
    ...keptAnnotations
  } = annotations;
  const { status: _status, metadata: _metadata, ...content } = live;
  const metadata = {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: keptLabels,
    annotations: {
      ...keptAnnotations,
      ...(application !== undefined && { [LEFT_BY_MARK]: application }),
    },
  };
  // Applied with all fields it has: what we no longer mention would be taken away, and only the marks shall go.
  await client.apply(
    { ...content, apiVersion: live.apiVersion, kind: live.kind, metadata },
    { force: true, fieldManager: FIELD_MANAGERS.own },
  );
}

function refused(
  { client }: RemoveContext,
  { resource }: Pick<Deletion, 'resource'>,
  why: string,
): ReleaseFailure {
  return {
    code: 'DELETE_REFUSED',
    resource,
    message: `${describeRef(resource)} on ${client.cluster} ${why}`,
  };
}
