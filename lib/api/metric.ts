import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { labelSelector } from './label-selector.js';
import { crossVersionObjectReference } from './scale-target.js';
import { fields, int32, optional, quantity } from './value.js';

export const metricIdentifier = fields({ name: z.string(), selector: optional(labelSelector) });

/** `type` is `Utilization`, `Value` or `AverageValue`. */
export const metricTarget = fields({
  averageUtilization: optional(int32),
  averageValue: optional(quantity),
  type: z.string(),
  value: optional(quantity),
});

const metricValue = fields({
  averageUtilization: optional(int32),
  averageValue: optional(quantity),
  value: optional(quantity),
});

/** One source of an autoscaling decision; `type` names the field that is set. */
export const metricSpec = fields({
  containerResource: optional(
    fields({ container: z.string(), name: z.string(), target: metricTarget }),
  ),
  /** In the schema, refused at admission. */
  external: optional(fields({ metric: metricIdentifier, target: metricTarget })),
  object: optional(
    fields({
      describedObject: crossVersionObjectReference,
      metric: metricIdentifier,
      target: metricTarget,
    }),
  ),
  pods: optional(fields({ metric: metricIdentifier, target: metricTarget })),
  resource: optional(fields({ name: z.string(), target: metricTarget })),
  type: z.string(),
});

/** The observed value of a source. */
export const metricStatus = fields({
  containerResource: optional(
    fields({ container: z.string(), current: metricValue, name: z.string() }),
  ),
  external: optional(fields({ current: metricValue, metric: metricIdentifier })),
  object: optional(
    fields({
      current: metricValue,
      describedObject: crossVersionObjectReference,
      metric: metricIdentifier,
    }),
  ),
  pods: optional(fields({ current: metricValue, metric: metricIdentifier })),
  resource: optional(fields({ current: metricValue, name: z.string() })),
  type: z.string(),
});

export type MetricIdentifier = Immutable<z.infer<typeof metricIdentifier>>;
export type MetricTarget = Immutable<z.infer<typeof metricTarget>>;
export type MetricSpec = Immutable<z.infer<typeof metricSpec>>;
export type MetricStatus = Immutable<z.infer<typeof metricStatus>>;
