import type { Construct } from 'constructs';
import type { OverrideSpec } from '../api/override-policy.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type ClusterOverridePolicyProps = KarmadaObjectProps<OverrideSpec>;

/** Edits templates of any namespace, and cluster-scoped ones, on their way to member clusters. */
export class ClusterOverridePolicy extends KarmadaObject<OverrideSpec> {
  constructor(scope: Construct, id: string, props: ClusterOverridePolicyProps) {
    super(scope, id, 'policy.karmada.io/v1alpha1', 'ClusterOverridePolicy', props);
  }
}
