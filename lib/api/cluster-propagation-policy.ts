import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { propagationSpec } from './propagation-policy.js';
import { fields, objectMeta } from './value.js';

/** Claims cluster-scoped templates and those of any namespace that is not reserved (policy.karmada.io/v1alpha1). */
export const clusterPropagationPolicy = fields({
  apiVersion: z.literal('policy.karmada.io/v1alpha1'),
  kind: z.literal('ClusterPropagationPolicy'),
  metadata: objectMeta,
  spec: propagationSpec,
});

export type ClusterPropagationPolicy = Immutable<z.infer<typeof clusterPropagationPolicy>>;
