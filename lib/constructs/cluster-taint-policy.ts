import type { Construct } from 'constructs';
import type { ClusterTaintPolicySpec } from '../api/cluster-taint-policy.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type ClusterTaintPolicyProps = KarmadaObjectProps<ClusterTaintPolicySpec>;

/** Taints clusters by their conditions. Target `members` does not act on it yet. */
export class ClusterTaintPolicy extends KarmadaObject<ClusterTaintPolicySpec> {
  constructor(scope: Construct, id: string, props: ClusterTaintPolicyProps) {
    super(scope, id, 'policy.karmada.io/v1alpha1', 'ClusterTaintPolicy', props);
  }
}
