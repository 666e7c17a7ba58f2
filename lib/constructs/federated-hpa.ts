import type { Construct } from 'constructs';
import type { FederatedHPASpec } from '../api/federated-hpa.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type FederatedHPAProps = KarmadaObjectProps<FederatedHPASpec>;

/** Scales a workload over all its clusters by metrics. Target `members` does not act on it yet. */
export class FederatedHPA extends KarmadaObject<FederatedHPASpec> {
  constructor(scope: Construct, id: string, props: FederatedHPAProps) {
    super(scope, id, 'autoscaling.karmada.io/v1alpha1', 'FederatedHPA', props);
  }
}
