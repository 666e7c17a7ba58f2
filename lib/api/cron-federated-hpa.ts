import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { crossVersionObjectReference } from './scale-target.js';
import { dateTime, fields, int32, objectMeta, optional } from './value.js';

/** One schedule. */
export const cronFederatedHPARule = fields({
  /** Default 3. */
  failedHistoryLimit: optional(int32.min(0).max(32)),
  /** Unique in the object. */
  name: z.string().min(1).max(32),
  /** Cron expression; keep to the five fields of a CronJob. */
  schedule: z.string(),
  /** Default 3. */
  successfulHistoryLimit: optional(int32.min(1).max(32)),
  suspend: optional(z.boolean()),
  /** For targets of kind FederatedHPA. */
  targetMaxReplicas: optional(int32),
  /** For targets of kind FederatedHPA. */
  targetMinReplicas: optional(int32),
  /** For all other targets. */
  targetReplicas: optional(int32),
  /** IANA name; absent: that of the controller process. */
  timeZone: optional(z.string()),
});

export const cronFederatedHPASpec = fields({
  rules: z.array(cronFederatedHPARule),
  scaleTargetRef: crossVersionObjectReference,
});

export const executionHistory = fields({
  failedExecutions: optional(
    z.array(fields({ executionTime: dateTime, message: z.string(), scheduleTime: dateTime })),
  ),
  nextExecutionTime: optional(dateTime),
  ruleName: z.string(),
  successfulExecutions: optional(
    z.array(
      fields({
        appliedMaxReplicas: optional(int32),
        appliedMinReplicas: optional(int32),
        appliedReplicas: optional(int32),
        executionTime: dateTime,
        scheduleTime: dateTime,
      }),
    ),
  ),
});

/** Scales on a schedule (autoscaling.karmada.io/v1alpha1). */
export const cronFederatedHPA = fields({
  apiVersion: z.literal('autoscaling.karmada.io/v1alpha1'),
  kind: z.literal('CronFederatedHPA'),
  metadata: objectMeta,
  spec: cronFederatedHPASpec,
  status: optional(fields({ executionHistories: optional(z.array(executionHistory)) })),
});

export type CronFederatedHPARule = Immutable<z.infer<typeof cronFederatedHPARule>>;
export type CronFederatedHPASpec = Immutable<z.infer<typeof cronFederatedHPASpec>>;
export type ExecutionHistory = Immutable<z.infer<typeof executionHistory>>;
export type CronFederatedHPA = Immutable<z.infer<typeof cronFederatedHPA>>;
