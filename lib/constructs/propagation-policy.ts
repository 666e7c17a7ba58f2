import type { Construct } from 'constructs';
import type { PropagationSpec } from '../api/propagation-policy.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type PropagationPolicyProps = KarmadaObjectProps<PropagationSpec>;

/** Claims templates of its own namespace and says where they go. */
export class PropagationPolicy extends KarmadaObject<PropagationSpec> {
  constructor(scope: Construct, id: string, props: PropagationPolicyProps) {
    super(scope, id, 'policy.karmada.io/v1alpha1', 'PropagationPolicy', props);
  }
}
