import type { ClusterTaintPolicy } from '../cluster-taint-policy.js';
import type { Finding } from '../finding.js';
import { duplicates } from './report.js';

/** Whether `NoExecute` is allowed is a flag of the control plane, so it is not judged here. */
export function clusterTaintPolicyRules(policy: ClusterTaintPolicy): readonly Finding[] {
  const key = (taint: { readonly key: string; readonly effect: string }): string =>
    `${taint.key}:${taint.effect}`;
  return duplicates(['spec', 'taints'], policy.spec.taints, key, ['key']);
}
