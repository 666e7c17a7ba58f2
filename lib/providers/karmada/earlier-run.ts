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

/** Waves that every policy of the change says a person lets pass, for exactly this change. */
export function approvedBefore({ grow }: Prepared, mirror: Mirror): readonly string[] {
  const { rollout, policies } = grow.goal;
  const approvals = policies.map(({ policy }) => {
    const approval = mirror.policy(policy)?.approval;
    return approval?.rollout === rollout ? approval.waves : [];
  });
  const [first = [], ...others] = approvals;
  return first.filter((wave) => others.every((waves) => waves.includes(wave)));
}

/** Whether there is something to leave untouched: every policy exists, and none is held for this change yet. */
export function isUntouched({ grow }: Prepared, mirror: Mirror): boolean {
  return grow.goal.policies.every(({ policy }) => {
    const view = mirror.policy(policy);
    return view !== undefined && view.memory?.rollout !== grow.goal.rollout;
  });
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
