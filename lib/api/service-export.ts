import { z } from 'zod';
import { condition } from './condition.js';
import type { Immutable } from './immutable.js';
import { fields, listMap, objectMeta, optional } from './value.js';

/** Marks the Service of the same name for export (multicluster.x-k8s.io/v1alpha1). */
export const serviceExport = fields({
  apiVersion: z.literal('multicluster.x-k8s.io/v1alpha1'),
  kind: z.literal('ServiceExport'),
  metadata: objectMeta,
  status: optional(fields({ conditions: optional(listMap(condition, 'type')) })),
});

export type ServiceExport = Immutable<z.infer<typeof serviceExport>>;
