import type { JsonObject } from '../merge/json.js';
import { objectAt } from '../merge/json.js';

/** One ReplicaSet of a Deployment in figures. */
export interface RevisionSize {
  readonly name: string;
  readonly isCurrent: boolean;
  /** What it asks for. */
  readonly replicas: number;
  /** What it has. */
  readonly pods: number;
  readonly ready: number;
  readonly available: number;
}

/**
 * The next size of each ReplicaSet of a Deployment.
 *
 * Never more than `replicas + maxSurge` pods in all, never fewer than `replicas - maxUnavailable` available ones. The
 * current revision grows first; then old ones shrink, unavailable pods first. `Recreate` empties the old ones before.
 * Rounding as in Kubernetes: surge up, unavailable down; both zero counts as one unavailable.
 */
export function rolled(
  spec: JsonObject,
  sizes: readonly RevisionSize[],
): ReadonlyMap<string, number> {
  const wanted = Number(spec['replicas'] ?? 1);
  const target = new Map(sizes.map((size) => [size.name, size.replicas]));
  const current = sizes.find((size) => size.isCurrent);
  const old = sizes.filter((size) => !size.isCurrent).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (current === undefined) return target;
  if (objectAt(spec, 'strategy')['type'] === 'Recreate') {
    for (const size of old) target.set(size.name, 0);
    if (old.every((size) => size.pods === 0)) target.set(current.name, wanted);
    return target;
  }
  const { surge, unavailable } = limits(spec, wanted);
  const asked = sizes.reduce((total, size) => total + size.replicas, 0);
  if (current.replicas > wanted) target.set(current.name, wanted);
  else
    target.set(
      current.name,
      Math.min(wanted, current.replicas + Math.max(0, wanted + surge - asked)),
    );
  shrink(old, target, current, wanted - unavailable, wanted);
  return target;
}

function shrink(
  old: readonly RevisionSize[],
  target: Map<string, number>,
  current: RevisionSize,
  minAvailable: number,
  wanted: number,
): void {
  const available = [current, ...old].reduce((total, size) => total + size.available, 0);
  const oldReplicas = old.reduce((total, size) => total + size.replicas, 0);
  const currentMissing = Math.max(0, (target.get(current.name) ?? 0) - current.available);
  let budget = oldReplicas + (target.get(current.name) ?? 0) - minAvailable - currentMissing;
  // Pods that are not available anyway cost no availability.
  for (const size of old) {
    const broken = Math.min(size.replicas - size.available, Math.max(0, budget), size.replicas);
    if (broken <= 0) continue;
    target.set(size.name, size.replicas - broken);
    budget -= broken;
  }
  let spare = Math.max(0, available - Math.min(minAvailable, wanted));
  for (const size of old) {
    const now = target.get(size.name) ?? 0;
    const cut = Math.min(now, spare, Math.max(0, budget));
    target.set(size.name, now - cut);
    spare -= cut;
    budget -= cut;
  }
}

function limits(
  spec: JsonObject,
  wanted: number,
): { readonly surge: number; readonly unavailable: number } {
  const rolling = objectAt(spec, 'strategy', 'rollingUpdate');
  const surge = scaled(rolling['maxSurge'] ?? '25%', wanted, Math.ceil);
  const unavailable = scaled(rolling['maxUnavailable'] ?? '25%', wanted, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** `25%` of a number, rounded, or the number itself. */
export function scaled(value: unknown, of: number, round: (n: number) => number): number {
  if (typeof value === 'number') return value;
  return round((Number.parseInt(String(value), 10) * of) / 100);
}
