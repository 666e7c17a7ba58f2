import { z } from 'zod';
import type { Immutable } from './immutable.js';
import type { placement } from './placement.js';
import { isRecord, optional } from './value.js';
import { gracefulEvictionTask } from './resource-binding.js';

const resource = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: optional(z.string()),
  name: z.string(),
});

const policy = z.strictObject({
  kind: z.enum(['PropagationPolicy', 'ClusterPropagationPolicy']),
  namespace: optional(z.string()),
  name: z.string(),
});

/** By cluster name. The one name that a record cannot hold is none that a cluster can have: refused, not lost. */
function byCluster<Value extends z.ZodType>(
  value: Value,
): z.ZodPipe<z.ZodUnknown, z.ZodRecord<z.ZodString, Value>> {
  const withoutProto = z
    .unknown()
    .refine((record) => !isRecord(record) || !Object.hasOwn(record, '__proto__'), {
      error: '"__proto__" is no name of a cluster',
    });
  return withoutProto.pipe(z.record(z.string(), value));
}

/** One binding's decision. Sorted by resource key in the file. */
export const lockedBinding = z.strictObject({
  resource,
  policy: policy.nullable(),
  /** Grows by one when the template changes. */
  generation: z.int().min(0),
  /** Content hash of the template, Secret data left out. */
  template: z.string(),
  /** Canonical JSON of the placement it was scheduled under; Karmada's applied-placement. */
  placement: optional(
    z.custom<z.infer<typeof placement>>(isRecord, { error: 'must be an object' }),
  ),
  /** Tie seed in place of the template's UID. */
  seed: z.string(),
  /** RFC 3339: the `now` of the decision. */
  decidedAt: z.string(),
  replicas: optional(z.int().min(0)),
  /** The affinity term in force (Karmada's schedulerObservingAffinityName). */
  affinity: optional(z.string()),
  /** Cluster to replicas (0 for kinds without). */
  clusters: byCluster(z.int().min(0)),
  /** Clusters it goes to only because others need it there, sorted. */
  followed: optional(z.array(z.string())),
  /** Cluster to hash of what was rendered from there (ADR 0133); `*` stands for all clusters not named. */
  render: byCluster(z.string()),
  /** Clusters being left gracefully, Karmada's gracefulEvictionTasks. */
  evicting: optional(z.array(gracefulEvictionTask)),
});

/** A policy as it was when the lock was written: a policy that changed lets go of what it no longer selects. */
export const lockedPolicy = z.strictObject({
  policy,
  /** First 16 hex digits of a hash of its spec without the placement, which the bindings have. */
  spec: z.string(),
});

/** A cluster that is gone while objects of ours may still be on it. */
export const tombstone = z.strictObject({
  cluster: z.string(),
  since: z.string(),
  resources: z.array(resource),
});

/** `fleet.lock.yaml`: what was decided. What was applied is read from the clusters. */
export const fleetLock = z.strictObject({
  apiVersion: z.literal('fleetwright.dev/v1alpha1'),
  kind: z.literal('FleetLock'),
  metadata: z.strictObject({ name: z.string() }),
  /** Grows by one whenever the content changes. */
  serial: z.int().min(0),
  bindings: z.array(lockedBinding),
  /** Policies that own a binding, sorted; absent in locks that do not know. */
  policies: optional(z.array(lockedPolicy)),
  tombstones: z.array(tombstone),
});

export type LockedBinding = Immutable<z.infer<typeof lockedBinding>>;
export type LockedPolicy = Immutable<z.infer<typeof lockedPolicy>>;
export type Tombstone = Immutable<z.infer<typeof tombstone>>;
export type FleetLock = Immutable<z.infer<typeof fleetLock>>;
