import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { fields, int64, optional } from './value.js';

/** Kubernetes toleration: of Cluster taints in a placement, of node taints in a pod. */
export const toleration = fields({
  /** `NoSchedule`, `PreferNoSchedule`, `NoExecute`; absent: all effects. */
  effect: optional(z.string()),
  /** Absent together with operator `Exists`: tolerates everything. */
  key: optional(z.string()),
  /** `Exists` or `Equal`; absent: `Equal`. */
  operator: optional(z.string()),
  /** Only with `NoExecute`: how long to stay; absent: forever; zero or less: leave at once. */
  tolerationSeconds: optional(int64),
  value: optional(z.string()),
});

export type Toleration = Immutable<z.infer<typeof toleration>>;
