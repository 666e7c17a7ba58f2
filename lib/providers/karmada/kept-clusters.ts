import { compareStrings, sorted } from '../../engine/compare.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import { describePolicy, keptByOthers, type PolicyGoal } from '../../engine/karmada/index.js';
import type { Mirror } from './mirror.js';

/** Clusters that others keep suspended, with the policies that do; as the control plane shows it now. */
export function keptClusters(
  goals: readonly PolicyGoal[],
  mirror: Mirror,
): ReadonlyMap<string, ReadonlySet<string>> {
  const kept = new Map<string, Set<string>>();
  for (const goal of goals) {
    const view = mirror.policy(goal.policy);
    if (view === undefined) continue;
    const { byPerson, byDocument } = keptByOthers(goal, view);
    for (const cluster of [...byPerson, ...byDocument]) {
      const policies = kept.get(cluster) ?? new Set();
      kept.set(cluster, policies.add(describePolicy(goal.policy)));
    }
  }
  return kept;
}

/** One finding a policy, sorted by its name. */
export function keptFindings(
  kept: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Diagnostic[] {
  const byPolicy = new Map<string, string[]>();
  for (const [cluster, policies] of kept)
    for (const policy of policies) byPolicy.set(policy, [...(byPolicy.get(policy) ?? []), cluster]);
  return sorted(byPolicy, ([a], [b]) => compareStrings(a, b)).map(([policy, clusters]) => ({
    code: 'KARMADA_SUSPENDED_BY_OTHERS',
    severity: 'warning',
    summary: `${policy}: ${sorted(clusters, compareStrings).join(', ')} ${clusters.length === 1 ? 'stays' : 'stay'} suspended by somebody else, and ${clusters.length === 1 ? 'keeps what it has' : 'keep what they have'}.`,
    hint: 'Take it off spec.suspension.dispatchingOnClusters when it may change, and run again.',
  }));
}
