import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { dateTime, fields, int32, int64, objectMeta, optional } from './value.js';

export const workloadReference = fields({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  namespace: optional(z.string()),
});

export const workloadRebalancerSpec = fields({
  /** Seconds after which the finished object is deleted; absent: kept. */
  ttlSecondsAfterFinished: optional(int32),
  /** Templates to schedule afresh. */
  workloads: z.array(workloadReference).min(1),
});

/** One-time request for a full reschedule (apps.karmada.io/v1alpha1). */
export const workloadRebalancer = fields({
  apiVersion: z.literal('apps.karmada.io/v1alpha1'),
  kind: z.literal('WorkloadRebalancer'),
  metadata: objectMeta,
  spec: workloadRebalancerSpec,
  status: optional(
    fields({
      finishTime: optional(dateTime),
      observedGeneration: optional(int64),
      observedWorkloads: optional(
        z.array(
          fields({
            reason: optional(z.string()),
            /** `Successful` or `Failed`. */
            result: optional(z.string()),
            workload: workloadReference,
          }),
        ),
      ),
    }),
  ),
});

export type WorkloadReference = Immutable<z.infer<typeof workloadReference>>;
export type WorkloadRebalancerSpec = Immutable<z.infer<typeof workloadRebalancerSpec>>;
export type WorkloadRebalancer = Immutable<z.infer<typeof workloadRebalancer>>;
