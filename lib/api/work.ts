import { z } from 'zod';
import { condition } from './condition.js';
import type { Immutable } from './immutable.js';
import { fields, freeForm, objectMeta, optional } from './value.js';

/** Which manifest of a Work. */
export const resourceIdentifier = fields({
  /** Absent or empty: the core group. */
  group: optional(z.string()),
  kind: z.string(),
  name: z.string(),
  namespace: optional(z.string()),
  /** Index in `manifests`. */
  ordinal: z.int(),
  /** Plural. */
  resource: z.string(),
  version: z.string(),
});

export const workSpec = fields({
  preserveResourcesOnDeletion: optional(z.boolean()),
  suspendDispatching: optional(z.boolean()),
  workload: optional(fields({ manifests: optional(z.array(freeForm)) })),
});

export const workStatus = fields({
  /** `Applied`, `Progressing`, `Available`, `Degraded`, `Dispatching`. */
  conditions: optional(z.array(condition)),
  manifestStatuses: optional(
    z.array(
      fields({
        health: optional(z.enum(['Healthy', 'Unhealthy', 'Unknown'])),
        identifier: resourceIdentifier,
        status: optional(freeForm),
      }),
    ),
  ),
});

/** Objects to apply in one member cluster (work.karmada.io/v1alpha1), in namespace `karmada-es-<cluster>`. */
export const work = fields({
  apiVersion: z.literal('work.karmada.io/v1alpha1'),
  kind: z.literal('Work'),
  metadata: objectMeta,
  spec: workSpec,
  status: optional(workStatus),
});

export type ResourceIdentifier = Immutable<z.infer<typeof resourceIdentifier>>;
export type WorkSpec = Immutable<z.infer<typeof workSpec>>;
export type WorkStatus = Immutable<z.infer<typeof workStatus>>;
export type Work = Immutable<z.infer<typeof work>>;
