import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { overrideSpec } from './override-policy.js';
import { fields, objectMeta } from './value.js';

/** Edits templates of any namespace and cluster-scoped ones; applied before OverridePolicy. */
export const clusterOverridePolicy = fields({
  apiVersion: z.literal('policy.karmada.io/v1alpha1'),
  kind: z.literal('ClusterOverridePolicy'),
  metadata: objectMeta,
  spec: overrideSpec,
});

export type ClusterOverridePolicy = Immutable<z.infer<typeof clusterOverridePolicy>>;
