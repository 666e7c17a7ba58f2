import type { Construct } from 'constructs';
import type { MultiClusterIngressSpec } from '../api/multi-cluster-ingress.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type MultiClusterIngressProps = KarmadaObjectProps<MultiClusterIngressSpec>;

/** An Ingress whose backends are in several clusters. Target `members` does not act on it yet. */
export class MultiClusterIngress extends KarmadaObject<MultiClusterIngressSpec> {
  constructor(scope: Construct, id: string, props: MultiClusterIngressProps) {
    super(scope, id, 'networking.karmada.io/v1alpha1', 'MultiClusterIngress', props);
  }
}
