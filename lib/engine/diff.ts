import type { PlacedBinding } from './binding.js';
import { lockedClusters, wasOn } from './binding.js';
import { sortedByKey } from './compare.js';
import type { KubeObject, ObjectRef } from './object.js';
import { refKey, refOf } from './object.js';
import { lockedRenderKey } from './next-lock.js';
import type { Action } from './plan.js';
import { applicationMark, MARKS } from './plan.js';
import type { Rendered, RenderedManifest } from './rendered.js';
import type { Snapshot } from './snapshot.js';

/** One object on one cluster: what it was, what it shall be. */
export interface Difference {
  readonly cluster: string;
  readonly resource: ObjectRef;
  readonly action: Action;
  /** Why it changes, see {@link Change.class} in plan.ts. */
  readonly class: string;
  /** Absent for deletions. */
  readonly manifest?: RenderedManifest;
  /** Replicas in the lock, when it was there and has replicas. */
  readonly previousReplicas?: number;
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
): readonly Difference[] {
  const live = liveIndex(snapshot);
  const differences: Difference[] = [];
  const bindings = new Map(placed.map((b) => [b.key, b]));
  for (const manifest of rendered.manifests) {
    differences.push(
      differenceOf(snapshot, manifest, bindings.get(manifest.bindingKey), rendered, live),
    );
  }
  const named = removals(snapshot, placed, live);
  differences.push(...named, ...leftovers(snapshot, [...differences, ...named], live));
  return sortedByKey(differences, (d) => `${d.cluster} ${refKey(d.resource)}`);
}

type LiveIndex = ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;

function liveIndex(snapshot: Snapshot): LiveIndex {
  const index = new Map<string, Map<string, KubeObject>>();
  for (const [cluster, objects] of Object.entries(snapshot.live?.members ?? {})) {
    index.set(cluster, new Map(objects.map((object) => [refKey(refOf(object)), object])));
  }
  return index;
}

function differenceOf(
  snapshot: Snapshot,
  manifest: RenderedManifest,
  binding: PlacedBinding | undefined,
  rendered: Rendered,
  live: LiveIndex,
): Difference {
  const { cluster, resource } = manifest;
  const base = { cluster, resource, manifest };
  const objects = live.get(cluster);
  const locked = binding?.locked;
  const before = wasOn(locked, cluster) ? (locked?.clusters[cluster] ?? 0) : undefined;
  const was =
    before !== undefined && locked?.replicas !== undefined ? { previousReplicas: before } : {};
  if (objects !== undefined) {
    const there = objects.get(refKey(resource));
    if (there === undefined)
      return { ...base, ...was, action: 'create', class: before === undefined ? 'new' : 'drift' };
    if (there.metadata.annotations?.[MARKS.revision] === manifest.revision) {
      return { ...base, ...was, action: 'none', class: 'unchanged' };
    }
    return {
      ...base,
      ...was,
      action: 'update',
      class: changeClass(snapshot, binding, manifest, rendered),
    };
  }
  // Namespaces that come along with their contents are nobody's decision: the lock does not list them.
  if (binding === undefined) {
    const known = snapshot.lock.bindings.some(
      (b) => b.resource.namespace === resource.name && wasOn(b, cluster),
    );
    return { ...base, action: known ? 'none' : 'create', class: known ? 'unchanged' : 'new' };
  }
  if (before === undefined) return { ...base, action: 'create', class: 'new' };
  const kind = changeClass(snapshot, binding, manifest, rendered);
  return { ...base, ...was, action: kind === 'unchanged' ? 'none' : 'update', class: kind };
}

/** The strongest reason first: template, then overrides, then replicas. */
function changeClass(
  snapshot: Snapshot,
  binding: PlacedBinding | undefined,
  manifest: RenderedManifest,
  rendered: Rendered,
): string {
  const locked = binding?.locked;
  if (binding === undefined || locked === undefined)
    return snapshot.live === undefined ? 'new' : 'drift';
  if (locked.template !== binding.version.hash) return 'template';
  const key = rendered.keys.get(binding.key)?.get(manifest.cluster);
  if (lockedRenderKey(locked, manifest.cluster) !== key) return 'override';
  const now = binding.clusters.find((c) => c.name === manifest.cluster)?.replicas ?? 0;
  if (locked.replicas !== undefined && locked.clusters[manifest.cluster] !== now) return 'replicas';
  return snapshot.live === undefined ? 'unchanged' : 'drift';
}

/** What the lock has and the plan has not: clusters that a binding left, and bindings that are gone. */
function removals(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
  live: LiveIndex,
): Difference[] {
  const now = new Map(placed.map((b) => [b.key, new Set(b.clusters.map((c) => c.name))]));
  const fleet = new Set(snapshot.clusters.map((c) => c.metadata.name as string));
  const result: Difference[] = [];
  for (const locked of snapshot.lock.bindings) {
    const key = refKey(locked.resource);
    for (const cluster of lockedClusters(locked)) {
      if (now.get(key)?.has(cluster) === true || !fleet.has(cluster)) continue;
      const objects = live.get(cluster);
      if (objects !== undefined && !objects.has(key)) continue;
      result.push({
        cluster,
        resource: locked.resource,
        action: 'delete',
        class: now.has(key) ? 'placement' : 'removed',
        ...(locked.replicas !== undefined && { previousReplicas: locked.clusters[cluster] ?? 0 }),
      });
    }
  }
  return result;
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
  const named = new Set(known.map((d) => `${d.cluster} ${refKey(d.resource)}`));
  const result: Difference[] = [];
  for (const [cluster, objects] of live) {
    for (const [key, object] of objects) {
      const owner = object.metadata.annotations?.[MARKS.application];
      if (owner !== applicationMark(snapshot.options) || named.has(`${cluster} ${key}`)) continue;
      result.push({ cluster, resource: refOf(object), action: 'delete', class: 'removed' });
    }
  }
  return result;
}
