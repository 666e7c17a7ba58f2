import { z } from 'zod';
import { failoverBehavior } from './failover.js';
import type { Immutable } from './immutable.js';
import { placement } from './placement.js';
import { resourceSelector } from './resource-selector.js';
import { policySuspension } from './suspension.js';
import { fields, int32, objectMeta, optional } from './value.js';

export const schedulePriority = fields({
  priorityClassName: z.string(),
  priorityClassSource: z.enum(['KubePriorityClass']),
});

/** Which templates a policy claims, and where they go. */
export const propagationSpec = fields({
  /** `Lazy`: changes of the policy act when the template next changes. */
  activationPreference: optional(z.enum(['Lazy'])),
  /** Deprecated in favour of `propagateDeps`. */
  association: optional(z.boolean()),
  /** When the object already exists in a member cluster; default `Abort`. */
  conflictResolution: optional(z.enum(['Abort', 'Overwrite'])),
  /** Override policies that must exist before this policy acts. */
  dependentOverrides: optional(z.array(z.string())),
  failover: optional(failoverBehavior),
  placement: optional(placement),
  /** `Always` takes templates from policies of lower priority; default `Never`. */
  preemption: optional(z.enum(['Always', 'Never'])),
  /** Keep the copies when the template is deleted. */
  preserveResourcesOnDeletion: optional(z.boolean()),
  /** Higher wins; default 0. */
  priority: optional(int32),
  /** Objects that the templates refer to follow them. */
  propagateDeps: optional(z.boolean()),
  resourceSelectors: z.array(resourceSelector).min(1),
  schedulePriority: optional(schedulePriority),
  schedulerName: optional(z.string()),
  suspension: optional(policySuspension),
});

/** Claims templates of its own namespace (policy.karmada.io/v1alpha1). */
export const propagationPolicy = fields({
  apiVersion: z.literal('policy.karmada.io/v1alpha1'),
  kind: z.literal('PropagationPolicy'),
  metadata: objectMeta,
  spec: propagationSpec,
});

export type SchedulePriority = Immutable<z.infer<typeof schedulePriority>>;
export type PropagationSpec = Immutable<z.infer<typeof propagationSpec>>;
export type PropagationPolicy = Immutable<z.infer<typeof propagationPolicy>>;
