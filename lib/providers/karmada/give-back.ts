import { describePolicy, giveBack } from '../../engine/karmada/index.js';
import type { PolicyRef } from '../../engine/plan.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';
import { POLICY_API, type Mirror } from './mirror.js';
import type { Prepared } from './prepare.js';
import { writeSuspension } from './writes.js';

/**
 * The end of a rollout: nothing in the field is ours any more, on the policies that were stepped and on those that a killed
 * run has left with a memory of it.
 * @throws {@link ProviderError}
 */
export async function giveBackAll(
  { grow, shrink, policyGoals }: Prepared,
  client: ClusterClient,
  mirror: Mirror,
): Promise<void> {
  const isLeft = (policy: PolicyRef): boolean => {
    const memory = mirror.policy(policy)?.memory;
    return memory !== undefined && (memory.document.length === 0 || memory.held.length > 0);
  };
  const policies = new Map<string, PolicyRef>(
    [
      ...grow.goal.policies,
      ...(shrink?.policies ?? []),
      ...policyGoals.filter(({ policy }) => isLeft(policy)),
    ].map(({ policy }) => [describePolicy(policy), policy]),
  );
  for (const policy of policies.values()) await giveBackOne(policy, client, mirror);
}

async function giveBackOne(
  policy: PolicyRef,
  client: ClusterClient,
  mirror: Mirror,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    const current = await client.get({ apiVersion: POLICY_API, ...policy });
    if (current === undefined) return;
    mirror.saw(current);
    const view = mirror.policy(policy);
    if (view === undefined) return;
    try {
      mirror.saw(await writeSuspension(client, giveBack(policy, view)));
      return;
    } catch (error) {
      // Somebody wrote in between.
      if (tries >= 5 || !ProviderError.is(error) || error.failure !== 'conflict') throw error;
    }
  }
}
