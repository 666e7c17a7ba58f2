import type { KubeObject } from '../../api/object.js';
import { refKey } from '../../engine/object.js';
import type { Manifest, Release } from '../../engine/plan.js';
import { FIELD_MANAGERS, toApply } from '../../engine/rollout/index.js';
import { ProviderError } from '../cluster/client.js';
import type { IsAutoscaled } from './autoscaled.js';
import { findAutoscaled } from './autoscaled.js';
import { inParallel } from './pool.js';
import { immutableFailure, isReplaced, makeRoom, untilGone } from './replace-object.js';
import type { ReleaseFailure } from './result.js';
import { toFailure } from './result.js';
import { waitForCrds } from './wait-for-crds.js';
import type { WriteContext } from './write-context.js';

export interface Written {
  readonly changed: boolean;
  readonly grown: boolean;
  readonly failures: readonly ReleaseFailure[];
}

const CRD = 'CustomResourceDefinition';

/**
 * Bring every object of a release onto the cluster, in rank order; what is there already costs no write.
 *
 * Objects of one rank are written together; after a rank with a failure the later ranks are left alone, since they may
 * rely on it. That nothing belongs to somebody else was seen before ({@link lookAtRelease}).
 */
export async function writeRelease(
  release: Release,
  existing: ReadonlyMap<string, KubeObject>,
  context: WriteContext,
): Promise<Written> {
  const { client, concurrency } = context;
  const isAutoscaled = await findAutoscaled(client, release.manifests);
  const facts = { changed: false, grown: false };
  for (const manifests of byRank(release.manifests)) {
    if (context.signal.aborted) break;
    const outcomes = await inParallel(manifests, concurrency, (manifest) =>
      attempt(manifest, existing.get(refKey(manifest.resource)), isAutoscaled, context),
    );
    const failures: ReleaseFailure[] = [];
    for (const outcome of outcomes) {
      if ('code' in outcome) failures.push(outcome);
      else {
        facts.changed ||= outcome.changed;
        facts.grown ||= outcome.grown;
      }
    }
    if (failures.length > 0) return { ...facts, failures };
    const crds = manifests.filter(({ resource }) => resource.kind === CRD);
    try {
      if (crds.length > 0) await waitForCrds(crds, context);
    } catch (error) {
      return { ...facts, failures: [toFailure(error)] };
    }
  }
  return { ...facts, failures: [] };
}

function byRank(manifests: readonly Manifest[]): readonly (readonly Manifest[])[] {
  const ranks = new Map<number, Manifest[]>();
  for (const manifest of manifests) {
    const rank = ranks.get(manifest.rank);
    if (rank === undefined) ranks.set(manifest.rank, [manifest]);
    else rank.push(manifest);
  }
  return [...ranks].sort(([a], [b]) => a - b).map(([, of]) => of);
}

type Outcome = Omit<Written, 'failures'>;

const UNTOUCHED: Outcome = { changed: false, grown: false };

/**
 * What was done to one object, or why it could not be. Some refusals pass by themselves: a conflict that is about no field
 * (the namespace is still terminating, somebody wrote at the same moment), and an error of the server that is about this
 * object alone, since the server answers otherwise (a webhook that is not up yet). Then again until the deadline, with what
 * is there by now.
 */
async function attempt(
  manifest: Manifest,
  live: KubeObject | undefined,
  isAutoscaled: IsAutoscaled,
  context: WriteContext,
): Promise<Outcome | ReleaseFailure> {
  const { client, clock, signal, deadlineAt } = context;
  let seen = live;
  let hasAnswered = false;
  for (let pause = 100; ; pause = Math.min(2_000, pause * 2)) {
    try {
      return await write(manifest, seen, isAutoscaled, context);
    } catch (error) {
      const refused = immutableFailure(manifest, seen, error);
      if (refused !== undefined) return refused;
      const isOver = signal.aborted || clock.now() + pause >= deadlineAt;
      if (isOver || !isMomentary(error)) return failureOf(error, manifest, hasAnswered);
      await clock.sleep(pause, signal);
      seen = await client.get(manifest.resource);
      hasAnswered = true;
    }
  }
}

function isMomentary(error: unknown): boolean {
  if (!ProviderError.is(error)) return false;
  const isAboutFields = (error.facts.conflicts ?? []).length > 0;
  return error.failure === 'server' || (error.failure === 'conflict' && !isAboutFields);
}

/** Where the cluster answered in between it is not the cluster that cannot be reached. */
function failureOf(error: unknown, { resource }: Manifest, hasAnswered: boolean): ReleaseFailure {
  const failure = toFailure(error, resource);
  const isItsOwn = hasAnswered && ProviderError.is(error) && error.failure === 'server';
  return isItsOwn ? { ...failure, code: 'APPLY_REFUSED' } : failure;
}

async function write(
  manifest: Manifest,
  found: KubeObject | undefined,
  isAutoscaled: IsAutoscaled,
  context: WriteContext,
): Promise<Outcome> {
  const { board, client, set, mode, interpreters } = context;
  const key = refKey(manifest.resource);
  const isGoing = found?.metadata.deletionTimestamp !== undefined;
  if (isGoing) await untilGone(found, manifest, context);
  let live = isGoing ? undefined : found;
  if (live !== undefined && manifest.shared) {
    board.wrote(key, 'left', live);
    return UNTOUCHED;
  }
  const settings = {
    ...{ mode, setId: set.id, interpreters },
    isAutoscaled: isAutoscaled(manifest.object),
  };
  let plan = toApply(manifest, live, settings);
  if (live !== undefined && plan.because.length === 0) {
    board.wrote(key, 'unchanged', live);
    return { changed: false, grown: plan.isGrown };
  }
  if (live !== undefined && isReplaced(manifest, live)) {
    await makeRoom(live, manifest, context);
    live = undefined;
    plan = toApply(manifest, live, settings);
  }
  if (plan.handover !== undefined)
    await client.apply(plan.handover, { fieldManager: FIELD_MANAGERS.handover });
  const stored = await client.apply(plan.object, {
    force: manifest.conflictResolution === 'Overwrite',
  });
  board.wrote(key, live === undefined ? 'created' : 'updated', stored);
  // The same content applied again keeps its version.
  const changed = live?.metadata.resourceVersion !== stored.metadata.resourceVersion;
  return { changed, grown: plan.isGrown };
}
