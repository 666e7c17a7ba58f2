import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { clusterAffinity } from './placement.js';
import { fields, objectMeta, optional } from './value.js';

/** Test of a condition of the Cluster; operator `In` or `NotIn`, values `True`, `False`, `Unknown`. */
export const matchCondition = fields({
  conditionType: z.string(),
  operator: z.string(),
  statusValues: z.array(z.string()),
});

export const managedTaint = fields({
  /** `NoSchedule`, or `NoExecute` where the administrator allows it. */
  effect: z.string(),
  key: z.string(),
  value: optional(z.string()),
});

export const clusterTaintPolicySpec = fields({
  /** All must match for the taints to be added; empty: never. Evaluated first. */
  addOnConditions: optional(z.array(matchCondition)),
  removeOnConditions: optional(z.array(matchCondition)),
  taints: z.array(managedTaint).min(1),
  /** Absent: all clusters. */
  targetClusters: optional(clusterAffinity),
});

/** Adds and removes taints of Clusters by their conditions (policy.karmada.io/v1alpha1). */
export const clusterTaintPolicy = fields({
  apiVersion: z.literal('policy.karmada.io/v1alpha1'),
  kind: z.literal('ClusterTaintPolicy'),
  metadata: objectMeta,
  spec: clusterTaintPolicySpec,
});

export type MatchCondition = Immutable<z.infer<typeof matchCondition>>;
export type ManagedTaint = Immutable<z.infer<typeof managedTaint>>;
export type ClusterTaintPolicySpec = Immutable<z.infer<typeof clusterTaintPolicySpec>>;
export type ClusterTaintPolicy = Immutable<z.infer<typeof clusterTaintPolicy>>;
