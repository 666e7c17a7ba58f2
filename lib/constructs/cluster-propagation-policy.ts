import type { Construct } from 'constructs';
import type { PropagationSpec } from '../api/propagation-policy.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type ClusterPropagationPolicyProps = KarmadaObjectProps<PropagationSpec>;

/** Claims templates of any namespace, and cluster-scoped ones, and says where they go. */
export class ClusterPropagationPolicy extends KarmadaObject<PropagationSpec> {
  constructor(scope: Construct, id: string, props: ClusterPropagationPolicyProps) {
    super(scope, id, 'policy.karmada.io/v1alpha1', 'ClusterPropagationPolicy', props);
  }
}
