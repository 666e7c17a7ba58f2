import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { fields, int32, optional } from './value.js';

/** State of a stateful workload to carry over, injected as labels in the new cluster. */
export const statePreservation = fields({
  rules: z.array(
    fields({
      aliasLabelName: z.string(),
      /** Evaluated from the object's `status`: `{.availableReplicas}`. */
      jsonPath: z.string(),
    }),
  ),
});

/** When an unhealthy application leaves a cluster. */
export const applicationFailoverBehavior = fields({
  decisionConditions: fields({
    /** Seconds the workload may stay unhealthy; default 300. */
    tolerationSeconds: optional(int32),
  }),
  /** Only with `Gracefully`; default 600 there. */
  gracePeriodSeconds: optional(int32),
  /** Cleanup on the old cluster; default `Gracefully`. */
  purgeMode: optional(z.enum(['Directly', 'Gracefully', 'Never'])),
  statePreservation: optional(statePreservation),
});

/** What happens to the copies when the cluster itself fails. */
export const clusterFailoverBehavior = fields({
  purgeMode: optional(z.enum(['Directly', 'Gracefully'])),
  statePreservation: optional(statePreservation),
});

/** Absent parts mean: no failover of that sort. */
export const failoverBehavior = fields({
  application: optional(applicationFailoverBehavior),
  cluster: optional(clusterFailoverBehavior),
});

export type StatePreservation = Immutable<z.infer<typeof statePreservation>>;
export type ApplicationFailoverBehavior = Immutable<z.infer<typeof applicationFailoverBehavior>>;
export type ClusterFailoverBehavior = Immutable<z.infer<typeof clusterFailoverBehavior>>;
export type FailoverBehavior = Immutable<z.infer<typeof failoverBehavior>>;
