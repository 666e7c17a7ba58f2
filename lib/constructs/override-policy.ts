import type { Construct } from 'constructs';
import type { OverrideSpec } from '../api/override-policy.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type OverridePolicyProps = KarmadaObjectProps<OverrideSpec>;

/** Edits templates of its own namespace on their way to member clusters. */
export class OverridePolicy extends KarmadaObject<OverrideSpec> {
  constructor(scope: Construct, id: string, props: OverridePolicyProps) {
    super(scope, id, 'policy.karmada.io/v1alpha1', 'OverridePolicy', props);
  }
}
