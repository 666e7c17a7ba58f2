import type { PlacedBinding } from './binding.js';
import { compareBy, compareStrings, sorted } from './compare.js';
import { count } from './describe/style.js';
import type { Diagnostic } from './diagnostic.js';
import type { Difference } from './diff.js';
import { isRunning } from './moves.js';
import type { ObjectRef } from './object.js';
import { describeRef, flagName, refKey, refOf } from './object.js';
import { applicationMark, MARKS } from './plan.js';
import type { Snapshot } from './snapshot.js';

/**
 * Objects of this application are on the clusters, and no lock says who decided that: every placement would be made afresh,
 * and what the lock guards would be deleted unguarded. At most one finding, where clusters were read. Code: LOCK_LOST, an
 * error.
 *
 * Not lost: the lock of an application that was removed, while nothing is placed again; what is still there is left from the
 * run that removed it. A run that is killed leaves its lock, which is written before anything is applied.
 */
export function* lostLock(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
): Generator<Diagnostic> {
  const { lock, options } = snapshot;
  if (options.target !== 'members' || lock.bindings.length > 0) return;
  if (lock.serial > 0 && placed.every(({ clusters }) => clusters.length === 0)) return;
  const mark = applicationMark(options);
  const counts = Object.entries(snapshot.live?.members ?? {})
    .map(([cluster, objects]) => ({
      cluster,
      objects: objects.filter((o) => o.metadata.annotations?.[MARKS.application] === mark).length,
    }))
    .filter(({ objects }) => objects > 0);
  if (counts.length === 0) return;
  const total = counts.reduce((sum, { objects }) => sum + objects, 0);
  const where = sorted(
    counts,
    compareBy(({ cluster }) => cluster),
  ).map(({ cluster, objects }) => `${cluster} (${objects})`);
  const shown = `${where.slice(0, 10).join(', ')}${where.length > 10 ? ', …' : ''}`;
  yield {
    severity: 'error',
    code: 'LOCK_LOST',
    summary: `${lock.serial > 0 ? 'The lock places nothing' : 'There is no lock'}, and ${count(total, 'object')} of application "${mark}" ${total === 1 ? 'is' : 'are'} on the clusters: ${shown}. Decisions would be made afresh, and what they do not place there would be deleted.`,
    hint: 'Restore the lock that was committed (`git checkout HEAD -- fleet.lock.yaml`, or of the commit that was applied last); to decide afresh, plan with `--acknowledge LOCK_LOST`.',
  };
}

/**
 * Objects on the clusters that neither plan nor lock names, to be deleted although their templates are still there: no policy
 * claims those any more. One finding per object, sorted by resource key. Code: POLICY_REMOVED, an error.
 *
 * Where there is a lock, only of what is running: configuration may have followed a workload whose removal was acknowledged in a
 * run that was killed, and nothing tells that it was never claimed itself.
 */
export function* unclaimedLeftovers(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
  differences: readonly Difference[],
): Generator<Diagnostic> {
  if (snapshot.live === undefined) return;
  const isLost = snapshot.lock.bindings.length === 0;
  const known = new Set([...placed.map(({ key }) => key), ...snapshot.locked.keys()]);
  const templates = new Set(snapshot.templates.map(({ object }) => refKey(refOf(object))));
  const found = new Map<string, { resource: ObjectRef; clusters: string[] }>();
  for (const { action, key, resource, cluster } of differences) {
    if (action !== 'delete' || known.has(key) || !templates.has(key)) continue;
    if (!isLost && !isRunning(resource)) continue;
    const entry = found.get(key) ?? { resource, clusters: [] };
    found.set(key, entry);
    entry.clusters.push(cluster);
  }
  for (const [, { resource, clusters }] of sorted(
    found,
    compareBy(([key]) => key),
  )) {
    yield {
      severity: 'error',
      code: 'POLICY_REMOVED',
      resource,
      summary: `${describeRef(resource)} is on ${clusters.sort(compareStrings).join(', ')}, and no policy claims its template, nor does the lock name it; it would be deleted there.`,
      hint: `Give it a policy, or restore the lock; to let it be deleted, plan with \`--acknowledge POLICY_REMOVED=${flagName(resource)}\`.`,
    };
  }
}
