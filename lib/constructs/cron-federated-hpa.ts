import type { Construct } from 'constructs';
import type { CronFederatedHPASpec } from '../api/cron-federated-hpa.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type CronFederatedHPAProps = KarmadaObjectProps<CronFederatedHPASpec>;

/** Scales a workload or a FederatedHPA at given times. Target `members` does not act on it yet. */
export class CronFederatedHPA extends KarmadaObject<CronFederatedHPASpec> {
  constructor(scope: Construct, id: string, props: CronFederatedHPAProps) {
    super(scope, id, 'autoscaling.karmada.io/v1alpha1', 'CronFederatedHPA', props);
  }
}
