import type { LockedBinding } from '../api/fleet-lock.js';
import type { PlacedBinding } from './binding.js';
import { clustersLeft, wasOn } from './binding.js';
import { compareBy, compareStrings } from './compare.js';
import type { LiveIndex } from './live-index.js';
import type { KubeObject, ObjectRef } from './object.js';
import { refKey, refOf } from './object.js';
import { lockedRenderKey } from './next-lock.js';
import type { Action } from './plan.js';
import { applicationMark, MARKS, UNRENDERED } from './plan.js';
import { keyDifference } from './render/index.js';
import type { Rendered, RenderedManifest } from './rendered.js';
import { immutableChanges } from './rollout/immutable.js';
import { protectionOf } from './rollout/protection.js';
import type { Snapshot } from './snapshot.js';

/** One object on one cluster: what it was, what it shall be. */
export interface Difference {
  readonly cluster: string;
  /** Resource key. */
  readonly key: string;
  readonly resource: ObjectRef;
  readonly action: Action;
  /** Why it changes, see {@link Change.class} in plan.ts. */
  readonly class: string;
  /** Absent for deletions. */
  readonly manifest: RenderedManifest | undefined;
  /** Why it must not be deleted, although that was to be done: of `replace`, and of what is kept for that reason alone. */
  readonly protection?: string;
}

/**
 * Compare what is desired with the lock, and with live objects where they were read. The lock knows which clusters had
 * an object, its replicas, its template and its overrides; live state knows the revision that is really there.
 * Sorted by (1) cluster, (2) resource key.
 */
export function diff(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
  rendered: Rendered,
  live: LiveIndex,
): readonly Difference[] {
  const locked = lockedByNamespace(snapshot);
  const differences = rendered.manifests.map((manifest): Difference => {
    const { cluster, content } = manifest;
    const objects = live.get(cluster);
    const { action, class: kind } =
      objects === undefined
        ? againstLock(manifest, locked)
        : againstLive(manifest, objects.get(content.key));
    return { cluster, key: content.key, resource: content.resource, action, class: kind, manifest };
  });
  const known = differences.concat(
    rendered.unrendered.map(unrendered),
    removals(snapshot, placed, live),
  );
  const all = known.concat(leftovers(snapshot, known, live));
  return byCluster(live.size === 0 ? all : all.map((one) => withProtection(one, live)));
}

/** What could not be rendered stays as it is: nothing is known to take its place. */
function unrendered({ cluster, resource }: Rendered['unrendered'][number]): Difference {
  const key = refKey(resource);
  return { cluster, key, resource, action: 'none', class: UNRENDERED, manifest: undefined };
}

/** What would be deleted and is protected stays. */
function withProtection(difference: Difference, live: LiveIndex): Difference {
  const { action, cluster, key, resource } = difference;
  if (action !== 'delete' && action !== 'replace') return difference;
  const objects = live.get(cluster);
  const there = objects?.get(key);
  if (there === undefined) return difference;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', name: resource.namespace ?? '' };
  const protection = protectionOf(there, objects?.get(refKey(namespace)));
  if (protection === undefined) return difference;
  return action === 'replace'
    ? { ...difference, protection }
    : { ...difference, action: 'none', class: 'protected', protection };
}

/** One cluster after the other: what was rendered comes in the order of the keys already, and so needs little sorting. */
function byCluster(differences: readonly Difference[]): readonly Difference[] {
  const counts = new Map<string, number>();
  for (const { cluster } of differences) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  // Where each cluster's run begins; then, while it is filled, where its next one goes.
  const next = new Map<string, number>();
  let start = 0;
  for (const cluster of [...counts.keys()].sort(compareStrings)) {
    next.set(cluster, start);
    start += counts.get(cluster) ?? 0;
  }
  const ordered = new Array<Difference>(differences.length);
  const unsorted = new Set<string>();
  for (const difference of differences) {
    const { cluster } = difference;
    const at = next.get(cluster) as number;
    const before = ordered[at - 1];
    if (before?.cluster === cluster && before.key > difference.key) unsorted.add(cluster);
    ordered[at] = difference;
    next.set(cluster, at + 1);
  }
  const order = compareBy<Difference, string>(({ key }) => key);
  for (const cluster of unsorted) {
    const end = next.get(cluster) as number;
    const first = end - (counts.get(cluster) as number);
    ordered
      .slice(first, end)
      .sort(order)
      .forEach((difference, i) => {
        ordered[first + i] = difference;
      });
  }
  return ordered;
}

type Verdict = Pick<Difference, 'action' | 'class'>;

const NEW: Verdict = { action: 'create', class: 'new' };
const GONE: Verdict = { action: 'create', class: 'drift' };
const REPLACED: Verdict = { action: 'replace', class: 'immutable' };
const UNCHANGED: Verdict = { action: 'none', class: 'unchanged' };

function againstLive(manifest: RenderedManifest, there: KubeObject | undefined): Verdict {
  const { binding, revision, shared } = manifest.content;
  if (there === undefined) return wasOn(binding?.locked, manifest.cluster) ? GONE : NEW;
  // What is shared is left as it is wherever it is.
  if (shared) return UNCHANGED;
  if (there.metadata.annotations?.[MARKS.revision] === revision) return UNCHANGED;
  if (immutableChanges(manifest.content.object, there).length > 0) return REPLACED;
  return { action: 'update', class: changeClass(manifest) ?? 'drift' };
}

function againstLock(
  manifest: RenderedManifest,
  lockedIn: ReadonlyMap<string, readonly LockedBinding[]>,
): Verdict {
  const { cluster, content } = manifest;
  const { binding, resource } = content;
  // Namespaces that come along with their contents are nobody's decision: the lock does not list them.
  if (binding === undefined) {
    const contents = lockedIn.get(resource.name) ?? [];
    return contents.some((locked) => wasOn(locked, cluster)) ? UNCHANGED : NEW;
  }
  if (!wasOn(binding.locked, cluster)) return NEW;
  const kind = changeClass(manifest);
  return kind === undefined ? UNCHANGED : { action: 'update', class: kind };
}

/** The strongest reason first: template, overrides, replicas, then what a rule of the user's makes of them. */
function changeClass({ cluster, content, isRecounted }: RenderedManifest): string | undefined {
  const { binding, renderKey } = content;
  const locked = binding?.locked;
  if (binding === undefined || locked === undefined) return undefined;
  if (locked.template !== binding.version.hash) return 'template';
  const difference = keyDifference(lockedRenderKey(locked, cluster), renderKey);
  // What a rule makes of another count is another object too: the count is the reason.
  if (difference === 'override' || (difference !== undefined && !isRecounted)) return difference;
  return isRecounted ? 'replicas' : undefined;
}

function lockedByNamespace({ lock }: Snapshot): ReadonlyMap<string, readonly LockedBinding[]> {
  const index = new Map<string, LockedBinding[]>();
  for (const locked of lock.bindings) {
    const { namespace } = locked.resource;
    if (namespace === undefined) continue;
    const list = index.get(namespace);
    if (list === undefined) index.set(namespace, [locked]);
    else list.push(locked);
  }
  return index;
}

/** What the lock has and the plan has not: clusters that a binding left, and bindings that are gone. */
function removals(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
  live: LiveIndex,
): Difference[] {
  const now = new Map(placed.map((b) => [b.key, b]));
  const fleet = new Set(snapshot.clusters.map((c) => c.metadata.name as string));
  const result: Difference[] = [];
  for (const locked of snapshot.lock.bindings) {
    const { resource } = locked;
    const key = refKey(resource);
    const binding = now.get(key);
    for (const cluster of clustersLeft(locked, binding)) {
      if (!fleet.has(cluster)) continue;
      if (live.get(cluster)?.has(key) === false) continue;
      const kind = binding === undefined ? 'removed' : 'placement';
      result.push({ cluster, key, resource, action: 'delete', class: kind, manifest: undefined });
    }
  }
  return [...result, ...returned(snapshot, result, now, live)];
}

/** What tombstones remember of clusters that are back: still there, unless it is placed there again. */
function returned(
  snapshot: Snapshot,
  known: readonly Difference[],
  placed: ReadonlyMap<string, PlacedBinding>,
  live: LiveIndex,
): Difference[] {
  const fleet = new Set(snapshot.clusters.map((c) => c.metadata.name as string));
  const named = new Set(known.map(({ cluster, key }) => `${cluster} ${key}`));
  return snapshot.lock.tombstones.flatMap(({ cluster, resources }) =>
    resources.flatMap((resource): Difference[] => {
      const key = refKey(resource);
      const isWanted = placed.get(key)?.clusters.some(({ name }) => name === cluster) === true;
      if (!fleet.has(cluster) || isWanted || named.has(`${cluster} ${key}`)) return [];
      if (live.get(cluster)?.has(key) === false) return [];
      return [
        { cluster, key, resource, action: 'delete', class: 'placement', manifest: undefined },
      ];
    }),
  );
}

/**
 * What carries this application's mark on a cluster although neither plan nor lock name it: a run that was killed after
 * the lock was written, before its settle step. Shared objects carry no such mark.
 */
function leftovers(
  snapshot: Snapshot,
  known: readonly Difference[],
  live: LiveIndex,
): Difference[] {
  if (live.size === 0) return [];
  const named = new Set(known.map((d) => `${d.cluster} ${d.key}`));
  const result: Difference[] = [];
  for (const [cluster, objects] of live) {
    for (const [key, object] of objects) {
      const owner = object.metadata.annotations?.[MARKS.application];
      if (owner !== applicationMark(snapshot.options) || named.has(`${cluster} ${key}`)) continue;
      const resource = refOf(object);
      result.push({
        cluster,
        key,
        resource,
        action: 'delete',
        class: 'removed',
        manifest: undefined,
      });
    }
  }
  return result;
}
