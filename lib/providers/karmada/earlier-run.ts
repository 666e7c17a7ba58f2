import { policyKey } from '../../engine/karmada/index.js';
import type { PlannedWave } from '../../engine/plan.js';
import type { Mirror } from './mirror.js';
import type { Prepared } from './prepare.js';

/** Clusters that an earlier run of this very change has released on every policy. */
export function releasedBefore({ grow }: Prepared, mirror: Mirror): ReadonlySet<string> {
  const { policies } = mirror.view(grow.goal.policies);
  const held = new Set<string>();
  const known = new Set<string>();
  for (const goal of grow.goal.policies) {
    const memory = policies.get(policyKey(goal.policy))?.memory;
    const isOurs = memory?.rollout === grow.goal.rollout;
    for (const cluster of goal.clusters) {
      known.add(cluster);
      if (!isOurs || memory.held.includes(cluster) || memory.document.includes(cluster))
        held.add(cluster);
    }
  }
  return new Set([...known].filter((cluster) => !held.has(cluster)));
}

/** Clusters whose gate has been passed by exactly this change: all when nothing changes, else those before the last begun wave. */
export function provenBefore(
  waves: readonly PlannedWave[],
  released: ReadonlySet<string>,
  { grow }: Prepared,
): ReadonlySet<string> {
  if (grow.goal.policies.length === 0) return new Set(waves.flatMap(({ clusters }) => clusters));
  // A later wave has begun, so this one had passed its gate.
  const begun = waves.map(({ clusters }) => clusters.some((name) => released.has(name)));
  const last = begun.lastIndexOf(true);
  return new Set(waves.slice(0, Math.max(0, last)).flatMap(({ clusters }) => clusters));
}
