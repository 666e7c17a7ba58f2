import type { LockedBinding, Tombstone } from '../api/fleet-lock.js';
import type { PlacedBinding } from './binding.js';
import { clustersLeft, lockedClusters } from './binding.js';
import { compareBy, compareStrings, sorted } from './compare.js';
import type { Diagnostic } from './diagnostic.js';
import type { Difference } from './diff.js';
import { lostLock, unclaimedLeftovers } from './lost-lock.js';
import { movedWorkloads } from './moves.js';
import { describeRef, flagName, refKey, refOf } from './object.js';
import { isPrecious } from './order.js';
import type { Snapshot } from './snapshot.js';

/** What the guards found, and the clusters to remember as gone. */
export interface Guarded {
  readonly diagnostics: readonly Diagnostic[];
  readonly tombstones: readonly Tombstone[];
}

/**
 * Refuse what looks like an accident: a lock that is lost, a fleet that shrank, a template that lost its policy, an application that
 * vanished, running workloads that leave clusters, deletions of what cannot be made again. Guards never change a decision;
 * an acknowledged code becomes a warning, so that the plan still shows it.
 */
export function guard(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
  differences: readonly Difference[],
): Guarded {
  const leaving = leavingClusters(snapshot);
  const findings = [
    ...lostLock(snapshot, placed),
    ...shrunkFleet(snapshot, leaving),
    ...removedPolicies(snapshot, placed),
    ...unclaimedLeftovers(snapshot, placed, differences),
    ...vanishedApplication(snapshot, placed),
    ...movedWorkloads(snapshot, placed),
    ...preciousDeletions(differences),
    ...suspendedChanges(snapshot, placed, differences),
  ];
  const acknowledged = new Set(snapshot.options.acknowledge ?? []);
  return {
    diagnostics: findings.map((d) =>
      isAcknowledged(d, acknowledged) ? { ...d, severity: 'warning' as const } : d,
    ),
    tombstones: tombstones(snapshot, leaving),
  };
}

/** By code for all findings of it, or `CODE=<kind>/<namespace>/<name>` or `CODE=<cluster>` for one. */
export function isAcknowledged(
  finding: Pick<Diagnostic, 'code' | 'resource'>,
  acknowledged: ReadonlySet<string>,
): boolean {
  return acknowledged.has(finding.code) || isNamed(finding, acknowledged);
}

/** By code and object. */
export function isNamed(
  { code, resource }: Pick<Diagnostic, 'code' | 'resource'>,
  acknowledged: ReadonlySet<string>,
): boolean {
  return resource !== undefined && acknowledged.has(`${code}=${flagName(resource)}`);
}

/** Clusters that the lock places something on and that the fleet no longer has, with what was there. */
function leavingClusters(
  snapshot: Snapshot,
): ReadonlyMap<string, readonly Tombstone['resources'][number][]> {
  const fleet = new Set(snapshot.clusters.map((c) => c.metadata.name as string));
  const leaving = new Map<string, Tombstone['resources'][number][]>();
  for (const locked of snapshot.lock.bindings) {
    const { resource } = locked;
    for (const cluster of [...Object.keys(locked.clusters), ...(locked.followed ?? [])]) {
      if (fleet.has(cluster)) continue;
      const list = leaving.get(cluster);
      if (list === undefined) leaving.set(cluster, [resource]);
      else list.push(resource);
    }
  }
  return leaving;
}

function* shrunkFleet(
  snapshot: Snapshot,
  leaving: ReadonlyMap<string, readonly unknown[]>,
): Generator<Diagnostic> {
  if (leaving.size === 0 || snapshot.clusters.length === 0) return;
  const names = [...leaving.keys()].sort(compareStrings);
  const total = new Set(snapshot.lock.bindings.flatMap(lockedClusters)).size;
  yield {
    severity: 'error',
    code: 'FLEET_SHRANK',
    summary: `${names.length} of the ${total} clusters in the lock are no longer in the fleet: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}. What runs there would be orphaned and its replicas placed elsewhere.`,
    hint: 'If the inventory is wrong, refresh it; if they are really gone, plan with `--acknowledge FLEET_SHRANK`.',
  };
}

/** A policy that is gone must not mean that its workloads go (or stay unmanaged) unseen. */
function* removedPolicies(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
): Generator<Diagnostic> {
  const present = new Map(placed.map((b) => [b.key, b]));
  const templates = new Set(snapshot.templates.map((t) => refKey(refOf(t.object))));
  const fleet = new Set(snapshot.clusters.map((c) => c.metadata.name ?? ''));
  for (const locked of snapshot.lock.bindings) {
    const key = refKey(locked.resource);
    const binding = present.get(key);
    if (locked.policy === null || !templates.has(key) || (binding?.policy ?? null) !== null)
      continue;
    const lost = clustersLeft(locked, binding).filter((name) => fleet.has(name));
    if (lost.length === 0) continue;
    yield {
      severity: 'error',
      code: 'POLICY_REMOVED',
      resource: locked.resource,
      summary: `${describeRef(locked.resource)} was placed by ${locked.policy.kind} "${locked.policy.name}", and now no policy claims it; it would be deleted from ${lost.join(', ')}${binding === undefined ? '' : ', and stay only where others need it'}.`,
      hint: `Restore the policy or give it another one; to let it be deleted, plan with \`--acknowledge POLICY_REMOVED=${flagName(locked.resource)}\`.`,
    };
  }
}

function* vanishedApplication(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
): Generator<Diagnostic> {
  const before = snapshot.lock.bindings.filter(isSomewhere).length;
  if (before === 0 || placed.some((b) => b.clusters.length > 0)) return;
  yield {
    severity: 'error',
    code: 'PLAN_REMOVES_EVERYTHING',
    summary: `The lock has ${before} placed ${before === 1 ? 'object' : 'objects'} of application "${snapshot.options.application}", and this input places none: everything would be deleted.`,
    hint: 'Check the sources; to remove the application use `fleetwright destroy`, or plan with `--acknowledge PLAN_REMOVES_EVERYTHING`.',
  };
}

function isSomewhere({ clusters, followed = [] }: LockedBinding): boolean {
  if (followed.length > 0) return true;
  for (const _ in clusters) return true;
  return false;
}

function* preciousDeletions(differences: readonly Difference[]): Generator<Diagnostic> {
  for (const difference of differences) {
    if (difference.action !== 'delete' || !isPrecious(difference.resource)) continue;
    const { resource, cluster } = difference;
    yield {
      severity: 'error',
      code: 'DELETES_DATA',
      resource,
      summary: `${describeRef(resource)} would be deleted from ${cluster}, with everything in it.`,
      hint: `If that is meant, plan with \`--acknowledge DELETES_DATA=${flagName(resource)}\`.`,
    };
  }
}

/** Somebody holds a cluster back (`suspension`); a control plane would, and nothing else can: so nothing reaches it unseen. */
function* suspendedChanges(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
  differences: readonly Difference[],
): Generator<Diagnostic> {
  if (snapshot.options.target === 'karmada') return;
  const suspended = new Map(
    placed.flatMap(({ key, spec }) =>
      spec?.suspension === undefined ? [] : [[key, spec.suspension] as const],
    ),
  );
  if (suspended.size === 0) return;
  for (const { cluster, resource, action } of differences) {
    const suspension = suspended.get(refKey(resource));
    const isHeld =
      suspension?.dispatching === true ||
      suspension?.dispatchingOnClusters?.clusterNames?.includes(cluster) === true;
    if (!isHeld || action === 'none') continue;
    yield {
      severity: 'error',
      code: 'SUSPENDED_CLUSTER_WOULD_CHANGE',
      resource,
      summary: `${describeRef(resource)} would change on ${cluster}, which its policy suspends.`,
      hint: 'Use `--target karmada`, or waves with `approval`, to hold clusters back; to change it all the same, plan with `--acknowledge SUSPENDED_CLUSTER_WOULD_CHANGE`.',
    };
  }
}

/** Tombstones stay until their cluster is back in the fleet or the user removes them from the lock. */
function tombstones(
  snapshot: Snapshot,
  leaving: ReadonlyMap<string, readonly Tombstone['resources'][number][]>,
): readonly Tombstone[] {
  const fleet = new Set(snapshot.clusters.map((c) => c.metadata.name as string));
  const kept = snapshot.lock.tombstones.filter(
    (t) => !fleet.has(t.cluster) && !leaving.has(t.cluster),
  );
  const added = [...leaving].map(([cluster, resources]) => ({
    cluster,
    since: snapshot.now,
    resources: sorted(resources, compareBy(refKey)),
  }));
  return sorted(
    [...kept, ...added],
    compareBy((t) => t.cluster),
  );
}
