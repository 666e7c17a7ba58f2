import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { dateTime, fields, int64, optional } from './value.js';

const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const TYPE =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;

/** Kubernetes condition. */
export const condition = fields({
  lastTransitionTime: dateTime,
  message: z.string().max(32768),
  observedGeneration: optional(int64.min(0)),
  reason: z.string().min(1).max(1024).regex(REASON),
  status: z.enum(['True', 'False', 'Unknown']),
  type: z.string().max(316).regex(TYPE),
});

export type Condition = Immutable<z.infer<typeof condition>>;
