import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { resourceSelector } from './resource-selector.js';
import { fields, objectMeta, optional } from './value.js';

export const checkSpec = fields({
  /** Any one of these may go; `region`, `zone` and `provider` group clusters by that field. */
  survivesLossOf: z.enum(['region', 'zone', 'cluster', 'provider']),
  /** Share of the planned replicas that must be left, in percent. */
  minAvailablePercent: z.int().min(1).max(100),
  /** Absent: every template with replicas. */
  resources: optional(z.array(resourceSelector).min(1)),
});

/** A property that a plan must have (fleetwright.dev/v1alpha1). */
export const check = fields({
  apiVersion: z.literal('fleetwright.dev/v1alpha1'),
  kind: z.literal('Check'),
  metadata: objectMeta,
  spec: checkSpec,
});

export type CheckSpec = Immutable<z.infer<typeof checkSpec>>;
export type Check = Immutable<z.infer<typeof check>>;
