import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { fields, optional } from './value.js';

/** A scalable object of the same namespace; Kubernetes' CrossVersionObjectReference. */
export const crossVersionObjectReference = fields({
  apiVersion: optional(z.string()),
  kind: z.string(),
  name: z.string(),
});

export type CrossVersionObjectReference = Immutable<z.infer<typeof crossVersionObjectReference>>;
