import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { labelSelector } from './label-selector.js';
import { fields, optional } from './value.js';

/** Picks templates: by name, else by label, else all of the kind. */
export const resourceSelector = fields({
  apiVersion: z.string(),
  kind: z.string(),
  /** Ignored when `name` is set. */
  labelSelector: optional(labelSelector),
  name: optional(z.string()),
  /** Absent: the policy's own namespace; for cluster-wide policies any. */
  namespace: optional(z.string()),
});

export type ResourceSelector = Immutable<z.infer<typeof resourceSelector>>;
