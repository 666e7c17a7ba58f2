import { z } from 'zod';
import { condition } from './condition.js';
import { failoverBehavior } from './failover.js';
import type { Immutable } from './immutable.js';
import { placement } from './placement.js';
import { component, replicaRequirements } from './replica-requirements.js';
import { suspension } from './suspension.js';
import {
  dateTime,
  fields,
  freeForm,
  int32,
  int64,
  objectMeta,
  optional,
  stringMap,
} from './value.js';

export const targetComponent = fields({ name: z.string(), replicas: int32 });

/** One cluster of a scheduling result. */
export const targetCluster = fields({
  components: optional(z.array(targetComponent)),
  name: z.string(),
  replicas: optional(int32),
});

/** The template a binding is for. */
export const objectReference = fields({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  namespace: optional(z.string()),
  resourceVersion: optional(z.string()),
  uid: optional(z.string()),
});

/** A pending removal from a cluster. */
export const gracefulEvictionTask = fields({
  clustersBeforeFailover: optional(z.array(z.string())),
  creationTimestamp: optional(dateTime),
  fromCluster: z.string(),
  gracePeriodSeconds: optional(int32),
  message: optional(z.string().max(1024)),
  preservedLabelState: optional(stringMap),
  /** Who asked, e.g. `TaintManager`. */
  producer: z.string(),
  purgeMode: optional(z.enum(['Directly', 'Gracefully', 'Never'])),
  /** Karmada uses `TaintUntolerated` and `ApplicationFailure`. */
  reason: z
    .string()
    .min(1)
    .max(32)
    .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/),
  replicas: optional(int32),
  suppressDeletion: optional(z.boolean()),
});

/** A binding that depends on this object, with its scheduling result. */
export const bindingSnapshot = fields({
  clusters: optional(z.array(targetCluster)),
  name: z.string(),
  /** Absent: a ClusterResourceBinding. */
  namespace: optional(z.string()),
});

export const workloadAffinityGroups = fields({
  /** `<labelKey>=<labelValue>` */
  affinityGroup: optional(z.string()),
  antiAffinityGroup: optional(z.string()),
});

/** A template with its policy's placement, ready to schedule, and the result. */
export const resourceBindingSpec = fields({
  clusters: optional(z.array(targetCluster)),
  components: optional(z.array(component)),
  conflictResolution: optional(z.enum(['Abort', 'Overwrite'])),
  failover: optional(failoverBehavior),
  gracefulEvictionTasks: optional(z.array(gracefulEvictionTask)),
  placement: optional(placement),
  preserveResourcesOnDeletion: optional(z.boolean()),
  propagateDeps: optional(z.boolean()),
  replicaRequirements: optional(replicaRequirements),
  replicas: optional(int32),
  requiredBy: optional(z.array(bindingSnapshot)),
  /** A full reschedule runs when this is later than `status.lastScheduledTime`. */
  rescheduleTriggeredAt: optional(dateTime),
  resource: objectReference,
  schedulePriority: optional(fields({ priority: optional(int32) })),
  schedulerName: optional(z.string()),
  suspension: optional(suspension),
  workloadAffinityGroups: optional(workloadAffinityGroups),
});

export const aggregatedStatusItem = fields({
  applied: optional(z.boolean()),
  appliedMessage: optional(z.string()),
  clusterName: z.string(),
  health: optional(z.enum(['Healthy', 'Unhealthy', 'Unknown'])),
  /** Status of the object in that cluster. */
  status: optional(freeForm),
});

export const resourceBindingStatus = fields({
  aggregatedStatus: optional(z.array(aggregatedStatusItem)),
  /** `Scheduled` and `FullyApplied`. */
  conditions: optional(z.array(condition)),
  lastScheduledTime: optional(dateTime),
  schedulerObservedGeneration: optional(int64),
  /** The group of `clusterAffinities` in use. */
  schedulerObservingAffinityName: optional(z.string()),
});

/** One per claimed template (work.karmada.io/v1alpha2). */
export const resourceBinding = fields({
  apiVersion: z.literal('work.karmada.io/v1alpha2'),
  kind: z.literal('ResourceBinding'),
  metadata: objectMeta,
  spec: resourceBindingSpec,
  status: optional(resourceBindingStatus),
});

export type { FailoverBehavior } from './failover.js';
export type { Suspension } from './suspension.js';
export type { Component, NodeClaim, ReplicaRequirements } from './replica-requirements.js';
export type TargetComponent = Immutable<z.infer<typeof targetComponent>>;
export type TargetCluster = Immutable<z.infer<typeof targetCluster>>;
export type ObjectReference = Immutable<z.infer<typeof objectReference>>;
export type GracefulEvictionTask = Immutable<z.infer<typeof gracefulEvictionTask>>;
export type BindingSnapshot = Immutable<z.infer<typeof bindingSnapshot>>;
export type WorkloadAffinityGroups = Immutable<z.infer<typeof workloadAffinityGroups>>;
export type ResourceBindingSpec = Immutable<z.infer<typeof resourceBindingSpec>>;
export type BindingAggregatedStatusItem = Immutable<z.infer<typeof aggregatedStatusItem>>;
export type ResourceBindingStatus = Immutable<z.infer<typeof resourceBindingStatus>>;
export type ResourceBinding = Immutable<z.infer<typeof resourceBinding>>;
