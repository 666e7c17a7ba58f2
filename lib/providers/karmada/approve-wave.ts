import type { KubeObject } from '../../api/object.js';
import {
  approvalOf,
  APPROVED_WAVES,
  describePolicy,
  policyKey,
  printApproval,
  withApproval,
} from '../../engine/karmada/index.js';
import type { Plan, PolicyRef } from '../../engine/plan.js';
import { FIELD_MANAGERS } from '../../engine/rollout/index.js';
import type { ClusterClient } from '../cluster/client.js';
import { changeOf } from './change.js';
import { POLICY_API } from './mirror.js';

/** Where an approval was recorded, and where it could not be, in words. */
export interface ApprovedOnControlPlane {
  /** Policies, for people; sorted by key. */
  readonly approved: readonly string[];
  readonly failed: readonly { readonly policy: string; readonly message: string }[];
}

/**
 * Record on every policy of the plan that a person lets a wave pass, for exactly this change: whoever runs it next, wherever,
 * is not asked again. A manager of its own holds the annotation, so that runs in between do not take it away.
 *
 * A policy that does not exist yet is not created for it: a run creates it, held, and then waits for the approval.
 * @throws {@link ProviderError}
 */
export async function approveOnControlPlane(
  plan: Plan,
  documents: readonly KubeObject[],
  wave: string,
  client: ClusterClient,
): Promise<ApprovedOnControlPlane> {
  const { placed, rollout } = await changeOf(plan, documents, client);
  const policies = new Map(placed.map(({ policy }) => [policyKey(policy), policy]));
  const approved: string[] = [];
  const failed: { policy: string; message: string }[] = [];
  for (const key of [...policies.keys()].sort()) {
    const ref = policies.get(key);
    if (ref === undefined) continue;
    const policy = describePolicy(ref);
    const live = await client.get({ apiVersion: POLICY_API, ...ref });
    if (live === undefined) {
      const message = `${policy} is not on the control plane yet: run up first, it stops at the wave; or give --approve ${wave} to up.`;
      failed.push({ policy, message });
      continue;
    }
    const text = printApproval(withApproval(approvalOf(live), rollout, wave));
    await client.apply(marked(ref, text), { fieldManager: FIELD_MANAGERS.approval, force: true });
    approved.push(policy);
  }
  return { approved, failed };
}

function marked({ kind, namespace, name }: PolicyRef, text: string): KubeObject {
  return {
    apiVersion: POLICY_API,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      annotations: { [APPROVED_WAVES]: text },
    },
  };
}
