import type { FleetLock } from '../lib/api/fleet-lock.js';
import { describeRef } from '../lib/engine/object.js';
import type { DestroyedTemplate } from '../lib/providers/karmada/index.js';
import type { ClusterClient } from '../lib/providers/cluster/index.js';

/** What `rollback` answers where a control plane is the target: it keeps no earlier version that could be brought back. */
export const NO_ROLLBACK = `A control plane keeps no earlier version: with --target karmada there is nothing that rollback could bring back.
Put the earlier documents back (git checkout REVISION -- karmada/) and run fleetwright up --target karmada: every cluster is held
first, those that have the later version go back wave by wave, and those that never saw it never will.
`;

/** What will be asked before anything is deleted. */
export function describeDestroy(lock: FleetLock): string {
  const names = lock.bindings.map(({ resource }) => describeRef(resource)).join(', ');
  return `Deleted from the control plane: ${names}.
Karmada deletes their copies on all clusters within a second, suspended or not, unless their policy preserves resources on deletion.
Policies, override policies, namespaces, CRDs and volumes stay.
`;
}

/** Delete what the lock names. Returns what became of it, and the lock without what is gone. */
export async function destroyThroughControlPlane(
  lock: FleetLock,
  client: ClusterClient,
): Promise<{ readonly results: readonly DestroyedTemplate[]; readonly lock: FleetLock }> {
  const { destroyOnControlPlane } = await import('../lib/providers/karmada/index.js');
  const results = await destroyOnControlPlane(
    lock.bindings.map(({ resource }) => resource),
    client,
  );
  const left = new Set(
    results
      .filter(({ outcome }) => outcome === 'kept' || outcome === 'deleting')
      .map(({ resource }) => resource),
  );
  const bindings = lock.bindings.filter(({ resource }) => left.has(resource));
  return { results, lock: { ...lock, serial: lock.serial + 1, bindings } };
}

export function describeDestroyed(results: readonly DestroyedTemplate[]): string {
  return results.map((result) => `${describeOne(result)}\n`).join('');
}

function describeOne({ resource, outcome, clusters, reason = '' }: DestroyedTemplate): string {
  const name = describeRef(resource);
  const where = clusters.length === 0 ? 'no cluster' : clusters.join(', ');
  switch (outcome) {
    case 'deleted':
      return `${name}: deleted from ${where}`;
    case 'absent':
      return `${name}: was not there`;
    case 'kept':
      return `${name}: kept · ${reason}`;
    case 'leftBehind':
      return `${name}: deleted from the control plane; stays on ${where} · ${reason}`;
    case 'deleting':
      return `${name}: deleted from the control plane; Karmada has not removed it from ${where} yet`;
  }
}
