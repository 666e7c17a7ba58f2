import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { resourceBindingSpec, resourceBindingStatus } from './resource-binding.js';
import { fields, objectMeta, optional } from './value.js';

/** One per claimed cluster-scoped template (work.karmada.io/v1alpha2). */
export const clusterResourceBinding = fields({
  apiVersion: z.literal('work.karmada.io/v1alpha2'),
  kind: z.literal('ClusterResourceBinding'),
  metadata: objectMeta,
  spec: resourceBindingSpec,
  status: optional(resourceBindingStatus),
});

export type ClusterResourceBinding = Immutable<z.infer<typeof clusterResourceBinding>>;
