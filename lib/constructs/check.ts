import type { Construct } from 'constructs';
import type { CheckSpec } from '../api/check.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type CheckProps = KarmadaObjectProps<CheckSpec>;

/** A property that every plan must have. */
export class Check extends KarmadaObject<CheckSpec> {
  constructor(scope: Construct, id: string, props: CheckProps) {
    super(scope, id, 'fleetwright.dev/v1alpha1', 'Check', props);
  }
}
