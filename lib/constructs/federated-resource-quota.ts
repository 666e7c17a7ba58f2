import type { Construct } from 'constructs';
import type { FederatedResourceQuotaSpec } from '../api/federated-resource-quota.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type FederatedResourceQuotaProps = KarmadaObjectProps<FederatedResourceQuotaSpec>;

/** A quota over several clusters. Target `members` does not act on it yet. */
export class FederatedResourceQuota extends KarmadaObject<FederatedResourceQuotaSpec> {
  constructor(scope: Construct, id: string, props: FederatedResourceQuotaProps) {
    super(scope, id, 'policy.karmada.io/v1alpha1', 'FederatedResourceQuota', props);
  }
}
