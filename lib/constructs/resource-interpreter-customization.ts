import type { Construct } from 'constructs';
import type { ResourceInterpreterCustomizationSpec } from '../api/resource-interpreter-customization.js';
import type { KarmadaObjectProps } from './karmada-object.js';
import { KarmadaObject } from './karmada-object.js';

export type ResourceInterpreterCustomizationProps =
  KarmadaObjectProps<ResourceInterpreterCustomizationSpec>;

/** Teaches a kind with Lua scripts. */
export class ResourceInterpreterCustomization extends KarmadaObject<ResourceInterpreterCustomizationSpec> {
  constructor(scope: Construct, id: string, props: ResourceInterpreterCustomizationProps) {
    super(scope, id, 'config.karmada.io/v1alpha1', 'ResourceInterpreterCustomization', props);
  }
}
