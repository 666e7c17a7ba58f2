import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { metricSpec, metricStatus } from './metric.js';
import { crossVersionObjectReference } from './scale-target.js';
import {
  dateTime,
  fields,
  int32,
  int64,
  listMap,
  objectMeta,
  optional,
  quantity,
} from './value.js';

export const hpaScalingPolicy = fields({
  /** 1 to 1800. */
  periodSeconds: int32,
  /** `Pods` or `Percent`. */
  type: z.string(),
  value: int32,
});

/** Speed limits in one direction. */
export const hpaScalingRules = fields({
  policies: optional(z.array(hpaScalingPolicy)),
  /** `Max` (default), `Min` or `Disabled`. */
  selectPolicy: optional(z.string()),
  stabilizationWindowSeconds: optional(int32),
  tolerance: optional(quantity),
});

export const federatedHPASpec = fields({
  behavior: optional(
    fields({ scaleDown: optional(hpaScalingRules), scaleUp: optional(hpaScalingRules) }),
  ),
  maxReplicas: int32,
  /** Default: CPU at 80 % average utilization. */
  metrics: optional(z.array(metricSpec)),
  /** Default 1. */
  minReplicas: optional(int32),
  scaleTargetRef: crossVersionObjectReference,
});

export const federatedHPAStatus = fields({
  /** `ScalingActive`, `AbleToScale`, `ScalingLimited`. */
  conditions: optional(
    listMap(
      fields({
        lastTransitionTime: optional(dateTime),
        message: optional(z.string()),
        reason: optional(z.string()),
        status: z.string(),
        type: z.string(),
      }),
      'type',
    ),
  ),
  currentMetrics: optional(z.array(metricStatus)),
  currentReplicas: optional(int32),
  desiredReplicas: int32,
  lastScaleTime: optional(dateTime),
  observedGeneration: optional(int64),
});

/** Autoscaler on the metrics of all clusters (autoscaling.karmada.io/v1alpha1). */
export const federatedHPA = fields({
  apiVersion: z.literal('autoscaling.karmada.io/v1alpha1'),
  kind: z.literal('FederatedHPA'),
  metadata: objectMeta,
  spec: federatedHPASpec,
  status: optional(federatedHPAStatus),
});

export type HPAScalingPolicy = Immutable<z.infer<typeof hpaScalingPolicy>>;
export type HPAScalingRules = Immutable<z.infer<typeof hpaScalingRules>>;
export type FederatedHPASpec = Immutable<z.infer<typeof federatedHPASpec>>;
export type FederatedHPAStatus = Immutable<z.infer<typeof federatedHPAStatus>>;
export type FederatedHPA = Immutable<z.infer<typeof federatedHPA>>;
