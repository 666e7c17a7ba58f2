import type { Construct } from 'constructs';
import type { MultiClusterServiceSpec } from '../api/multi-cluster-service.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type MultiClusterServiceProps = KarmadaObjectProps<MultiClusterServiceSpec>;

/** Makes a Service reachable across clusters. Target `members` does not act on it yet. */
export class MultiClusterService extends KarmadaObject<MultiClusterServiceSpec> {
  constructor(scope: Construct, id: string, props: MultiClusterServiceProps) {
    super(scope, id, 'networking.karmada.io/v1alpha1', 'MultiClusterService', props);
  }
}
