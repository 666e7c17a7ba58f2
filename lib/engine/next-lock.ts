import type { FleetLock, LockedBinding, LockedPolicy, Tombstone } from '../api/fleet-lock.js';
import type { PlacedBinding } from './binding.js';
import { lockedClusters, seedOf } from './binding.js';
import { canonicalJson, equalData } from './canonical.js';
import { describePolicy, policyKey } from './claim/policy.js';
import { compareBy, compareStrings, sorted } from './compare.js';
import { describeRef, refKey } from './object.js';
import { keyDifference } from './render/index.js';
import type { RenderKeys } from './rendered.js';
import type { Snapshot } from './snapshot.js';
import { own } from './own.js';

/** The lock after a plan, and one line per binding that differs. */
export interface NextLock {
  readonly lock: FleetLock;
  readonly changes: readonly string[];
}

/**
 * What this plan decided, in the lock's form. A binding whose decision did not change keeps its entry byte for byte
 * (with its old `decidedAt`); the serial grows by one only if something changed.
 */
export function nextLock(
  snapshot: Snapshot,
  placed: readonly PlacedBinding[],
  renderKeys: RenderKeys,
  tombstones: readonly Tombstone[],
): NextLock {
  const changes: string[] = [];
  const bindings = placed.filter(isRemembered).map((binding) => {
    // What could not be decided is not decided: the last decision stands, with the placement it was made under.
    if (binding.decision.kind === 'failed' && binding.locked !== undefined) return binding.locked;
    const entry = lockedEntry(snapshot, binding, renderKeys);
    if (binding.locked !== undefined && equalData(entry, binding.locked)) return binding.locked;
    changes.push(describeChange(binding.locked, entry));
    return { ...entry, decidedAt: snapshot.now };
  });
  const present = new Set(bindings.map((b) => refKey(b.resource)));
  for (const before of snapshot.lock.bindings) {
    if (!present.has(refKey(before.resource)))
      changes.push(`${describeRef(before.resource)}: removed`);
  }
  if (!equalData(tombstones, snapshot.lock.tombstones)) changes.push('tombstones changed');
  const policies = policiesOf(snapshot, bindings, placed);
  // Where a policy's bindings changed, their lines say it.
  if (changes.length === 0)
    for (const name of changedPolicies(snapshot.lock, policies)) changes.push(`${name}: spec`);
  if (changes.length === 0) return { lock: snapshot.lock, changes };
  return {
    changes: sorted(changes, compareStrings),
    lock: {
      ...snapshot.lock,
      serial: snapshot.lock.serial + 1,
      bindings: sorted(
        bindings,
        compareBy((b) => refKey(b.resource)),
      ),
      policies,
      tombstones: [...tombstones],
    },
  };
}

/** The owners of what the lock holds, as they are now; sorted. */
function policiesOf(
  snapshot: Snapshot,
  bindings: readonly LockedBinding[],
  placed: readonly PlacedBinding[],
): LockedPolicy[] {
  const owning = new Set(bindings.flatMap(({ policy }) => (policy ? [policyKey(policy)] : [])));
  const documents = new Map<string, LockedPolicy>();
  for (const { policy, policyDocument } of placed) {
    if (policy === null || policyDocument === undefined) continue;
    const key = policyKey(policy);
    if (!owning.has(key) || documents.has(key)) continue;
    documents.set(key, { policy, spec: snapshot.policyVersions.versionOf(policyDocument) });
  }
  return sorted(
    documents,
    compareBy(([key]) => key),
  ).map(([, policy]) => policy);
}

/** Names of policies whose spec is another; a lock that knows none learns them with its next change. */
function changedPolicies(before: FleetLock, policies: readonly LockedPolicy[]): string[] {
  if (before.policies === undefined) return [];
  const known = new Map(before.policies.map(({ policy, spec }) => [policyKey(policy), spec]));
  return policies
    .filter(({ policy, spec }) => known.get(policyKey(policy)) !== spec)
    .map(({ policy }) => describePolicy(policy));
}

/** A binding that never had a place leaves no trace; one that lost it keeps its last assignment. */
function isRemembered(binding: PlacedBinding): boolean {
  return (
    binding.clusters.length > 0 ||
    binding.locked !== undefined ||
    binding.decision.kind !== 'failed'
  );
}

function lockedEntry(
  snapshot: Snapshot,
  binding: PlacedBinding,
  renderKeys: RenderKeys,
): LockedBinding {
  const { resource, policy, version, spec, locked } = binding;
  const placement = spec?.placement;
  const followed = new Set(binding.followed);
  const targets =
    followed.size === 0 ? binding.clusters : binding.clusters.filter((c) => !followed.has(c.name));
  return {
    resource,
    policy,
    generation: version.generation,
    template: version.hash,
    ...(placement !== undefined && { placement }),
    seed: seedOf(binding.template.object, binding.key, locked, snapshot.tools.hash),
    decidedAt: locked?.decidedAt ?? snapshot.now,
    ...(spec?.replicas !== undefined && { replicas: spec.replicas }),
    ...(binding.affinity !== undefined &&
      binding.affinity !== '' && { affinity: binding.affinity }),
    clusters: sharesOf(targets, locked),
    ...(binding.followed !== undefined &&
      binding.followed.length > 0 && { followed: [...binding.followed] }),
    render: compact(renderKeys.get(binding.key) ?? new Map()),
    ...(spec?.gracefulEvictionTasks !== undefined &&
      spec.gracefulEvictionTasks.length > 0 && { evicting: [...spec.gracefulEvictionTasks] }),
  };
}

/** The lock's own object where it says the same, so that comparing it costs nothing. */
function sharesOf(
  targets: PlacedBinding['clusters'],
  locked: LockedBinding | undefined,
): LockedBinding['clusters'] {
  const before = locked?.clusters ?? {};
  let known = 0;
  for (const _ in before) known += 1;
  return known === targets.length &&
    targets.every(({ name, replicas = 0 }) => own(before, name) === replicas)
    ? before
    : Object.fromEntries(targets.map((c) => [c.name, c.replicas ?? 0]));
}

/** The commonest key stands under `*`; ties go to the smaller key. */
function compact(keys: ReadonlyMap<string, readonly string[]>): Record<string, string> {
  const groups = sorted(keys, (a, b) => b[1].length - a[1].length || compareStrings(a[0], b[0]));
  const [common, ...others] = groups;
  if (common === undefined) return {};
  const rest = others.flatMap(([key, clusters]) => clusters.map((name) => [name, key] as const));
  return {
    '*': common[0],
    ...Object.fromEntries(
      sorted(
        rest,
        compareBy(([cluster]) => cluster),
      ),
    ),
  };
}

/** What the lock says was rendered for a cluster; absent: nothing known. */
export function lockedRenderKey(
  locked: LockedBinding | undefined,
  cluster: string,
): string | undefined {
  return own(locked?.render, cluster) ?? locked?.render['*'];
}

function describeChange(before: LockedBinding | undefined, after: LockedBinding): string {
  const name = describeRef(after.resource);
  if (before === undefined) return `${name}: new, on ${describeClusters(after)}`;
  const parts: string[] = [];
  if (!equalData(before.policy, after.policy)) parts.push('policy');
  if (before.generation !== after.generation)
    parts.push(`generation ${before.generation} → ${after.generation}`);
  if (describeClusters(before) !== describeClusters(after)) {
    parts.push(`clusters ${describeClusters(before)} → ${describeClusters(after)}`);
  }
  if (canonicalJson(before.placement ?? null) !== canonicalJson(after.placement ?? null))
    parts.push('placement');
  if (!equalData(before.render, after.render) && parts.length === 0)
    parts.push(describeRender(before, after));
  return `${name}: ${parts.length === 0 ? 'bookkeeping' : parts.join(', ')}`;
}

/** Why other bytes were rendered. */
function describeRender(before: LockedBinding, after: LockedBinding): string {
  const clusters = lockedClusters(after);
  const isTaught = clusters.every((cluster) => {
    const now = lockedRenderKey(after, cluster);
    return now === undefined || keyDifference(lockedRenderKey(before, cluster), now) !== 'override';
  });
  return isTaught ? 'interpreter' : 'overrides';
}

function describeClusters(entry: LockedBinding): string {
  const names = lockedClusters(entry);
  if (names.length === 0) return 'no cluster';
  const shown = names
    .slice(0, 8)
    .map((name) => (entry.replicas === undefined ? name : `${name} ${entry.clusters[name] ?? 0}`));
  return names.length <= 8 ? shown.join(', ') : `${shown.join(', ')} and ${names.length - 8} more`;
}
