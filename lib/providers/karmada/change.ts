import { createHash } from 'node:crypto';
import type { KubeObject } from '../../api/object.js';
import { canonicalJson } from '../../engine/canonical.js';
import { holdDependencies, refOfPolicy } from '../../engine/karmada/index.js';
import { refKey } from '../../engine/object.js';
import type { Plan } from '../../engine/plan.js';
import type { ClusterClient } from '../cluster/client.js';
import { toKarmadaDocuments, type KarmadaDocuments } from './documents.js';
import { sharesOf, type Placed } from './goals.js';
import { withNamespaces } from './writes.js';

/** What a run brings to the control plane. */
export interface KarmadaChange {
  /** The user's documents as they are sent, policies for held dependencies among them. */
  readonly documents: KarmadaDocuments;
  /** Bindings that a policy places. */
  readonly placed: readonly Placed[];
  /** The change's id: what is written, and what Karmada is expected to make of it. */
  readonly rollout: string;
}

/** Reads what kinds the control plane serves, nothing else. */
export async function changeOf(
  plan: Plan,
  given: readonly KubeObject[],
  client: ClusterClient,
): Promise<KarmadaChange> {
  const own = toKarmadaDocuments(await withNamespaces(client, given));
  const held = holdDependencies(plan, own.policies);
  const documents = { ...own, policies: [...own.policies, ...held.map(({ policy }) => policy)] };
  const placed = [
    ...plan.bindings.filter((binding): binding is Placed => binding.policy !== null),
    ...held.map(({ binding, policy }) => ({
      ...binding,
      policy: refOfPolicy(policy),
      isFollower: true as const,
    })),
  ];
  const shares = placed.map((binding) => [refKey(binding.resource), sharesOf(binding)]);
  const text = canonicalJson([documents, shares]);
  const rollout = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { documents, placed, rollout };
}
