import type { Construct } from 'constructs';
import type { RemedySpec } from '../api/remedy.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type RemedyProps = KarmadaObjectProps<RemedySpec>;

/** Actions on clusters by their conditions. Target `members` does not act on it yet. */
export class Remedy extends KarmadaObject<RemedySpec> {
  constructor(scope: Construct, id: string, props: RemedyProps) {
    super(scope, id, 'remedy.karmada.io/v1alpha1', 'Remedy', props);
  }
}
