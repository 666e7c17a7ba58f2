import type { KubeObject } from '../../api/object.js';
import { describeRef, refKey } from '../../engine/object.js';
import type { Manifest, Release } from '../../engine/plan.js';
import { MARKS } from '../../engine/plan.js';
import { FIELD_MANAGERS, ownershipOf, toApply } from '../../engine/rollout/index.js';
import { ProviderError } from '../cluster/client.js';
import type { IsAutoscaled } from './autoscaled.js';
import { findAutoscaled } from './autoscaled.js';
import { inParallel } from './pool.js';
import { readExisting } from './read-existing.js';
import type { ReleaseFailure } from './result.js';
import { ReleaseFailed, toFailure } from './result.js';
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
 * Nothing at all is written when any object belongs to somebody else (APPLY_CONFLICT). Objects of one rank are written
 * together; after a rank with a failure the later ranks are left alone, since they may rely on it.
 */
export async function writeRelease(release: Release, context: WriteContext): Promise<Written> {
  const { client, concurrency } = context;
  const refs = release.manifests.map(({ resource }) => resource);
  const existing = await readExisting(client, refs, concurrency, context.set);
  const foreign = release.manifests.flatMap((manifest) => conflictOf(manifest, existing, context));
  if (foreign.length > 0) return { changed: false, grown: false, failures: foreign };
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

function conflictOf(
  { resource, conflictResolution, shared }: Manifest,
  existing: ReadonlyMap<string, KubeObject>,
  { client, set }: WriteContext,
): readonly ReleaseFailure[] {
  const live = existing.get(refKey(resource));
  if (live === undefined || shared || conflictResolution === 'Overwrite') return [];
  const ownership = ownershipOf(live, set.id);
  if (ownership.kind === 'ours') return [];
  const message = `${describeRef(resource)} on ${client.cluster} exists and is managed by ${ownership.owner}; nothing was written. Set conflictResolution: Overwrite in its policy to take it over.`;
  return [{ code: 'APPLY_CONFLICT', resource, message }];
}

type Outcome = Omit<Written, 'failures'>;

const UNTOUCHED: Outcome = { changed: false, grown: false };

/**
 * What was done to one object, or why it could not be. A conflict that is about no field passes by itself (the namespace
 * is still terminating, somebody wrote at the same moment): then again, with what is there by now.
 */
async function attempt(
  manifest: Manifest,
  live: KubeObject | undefined,
  isAutoscaled: IsAutoscaled,
  context: WriteContext,
): Promise<Outcome | ReleaseFailure> {
  const { client, clock, signal, deadlineAt } = context;
  let seen = live;
  for (let pause = 100; ; pause = Math.min(2_000, pause * 2)) {
    try {
      return await write(manifest, seen, isAutoscaled, context);
    } catch (error) {
      const isOver = signal.aborted || clock.now() + pause >= deadlineAt;
      if (isOver || !isMomentary(error)) return toFailure(error, manifest.resource);
      await clock.sleep(pause, signal);
      seen = await client.get(manifest.resource);
    }
  }
}

function isMomentary(error: unknown): boolean {
  return (
    ProviderError.is(error) &&
    error.failure === 'conflict' &&
    (error.facts.conflicts ?? []).length === 0
  );
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
    const { uid } = live.metadata;
    await client.delete(manifest.resource, uid === undefined ? {} : { uid });
    await untilGone(live, manifest, context);
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

/** Immutable fields change only by deleting first, and only when the plan says so. */
function isReplaced({ action, revision }: Manifest, live: KubeObject): boolean {
  return action === 'replace' && live.metadata.annotations?.[MARKS.revision] !== revision;
}

/** @throws {@link ReleaseFailed} at the deadline, with the finalizers it waits for. */
async function untilGone(
  live: KubeObject,
  { resource }: Manifest,
  context: WriteContext,
): Promise<void> {
  const { client, clock, signal, deadlineAt } = context;
  for (let pause = 50; ; pause = Math.min(2_000, pause * 2)) {
    const there = await client.get(resource);
    if (there === undefined || there.metadata.uid !== live.metadata.uid) return;
    if (signal.aborted || clock.now() >= deadlineAt) {
      const finalizers = there.metadata.finalizers?.join(', ') ?? 'none';
      throw new ReleaseFailed({
        code: 'OBJECT_NOT_READY',
        resource,
        message: `${describeRef(resource)} on ${client.cluster} is being deleted and does not go, so it cannot be made anew (finalizers: ${finalizers})`,
      });
    }
    await clock.sleep(pause, signal);
  }
}
