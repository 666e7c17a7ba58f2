import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { fields, optional } from './value.js';

export const suspensionFields = {
  /** Pause dispatching to all clusters. */
  dispatching: optional(z.boolean()),
  /** Pause dispatching to some. */
  dispatchingOnClusters: optional(fields({ clusterNames: optional(z.array(z.string())) })),
};

/** Pause of a policy; absent means running. */
export const policySuspension = fields(suspensionFields);

/** Pause of a binding. */
export const suspension = fields({
  ...suspensionFields,
  /** Meant to be set at creation; no effect once scheduled. */
  scheduling: optional(z.boolean()),
});

export type PolicySuspension = Immutable<z.infer<typeof policySuspension>>;
export type Suspension = Immutable<z.infer<typeof suspension>>;
