import type { Construct } from 'constructs';
import type { WorkloadRebalancerSpec } from '../api/workload-rebalancer.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type WorkloadRebalancerProps = KarmadaObjectProps<WorkloadRebalancerSpec>;

/** Asks for a fresh decision for the workloads it lists. */
export class WorkloadRebalancer extends KarmadaObject<WorkloadRebalancerSpec> {
  constructor(scope: Construct, id: string, props: WorkloadRebalancerProps) {
    super(scope, id, 'apps.karmada.io/v1alpha1', 'WorkloadRebalancer', props);
  }
}
