import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { labelSelector } from './label-selector.js';
import { toleration } from './toleration.js';
import { fields, int64, optional } from './value.js';

/** One requirement on `provider`, `region` or `zone` of a Cluster; operator `In` or `NotIn`. */
export const fieldSelectorRequirement = fields({
  key: z.string(),
  operator: z.string(),
  values: optional(z.array(z.string())),
});

/** Filter over three fields of the Cluster object; requirements are combined with AND. */
export const fieldSelector = fields({
  matchExpressions: optional(z.array(fieldSelectorRequirement)),
});

const affinityFields = {
  /** Absent or empty: no restriction by name. */
  clusterNames: optional(z.array(z.string())),
  /** Never selected, whatever else matches. */
  exclude: optional(z.array(z.string())),
  fieldSelector: optional(fieldSelector),
  labelSelector: optional(labelSelector),
};

/** Which clusters: every part that is set must match; nothing set means every cluster. */
export const clusterAffinity = fields(affinityFields);

const affinityName = z.string().min(1).max(32);

/** A named group of clusters, added when the primary group lacks capacity. */
export const overflowAffinity = fields({ affinityName, ...affinityFields });

/** A named group of candidates. The scheduler takes the first group of the list that fits. */
export const clusterAffinityTerm = fields({
  affinityName,
  ...affinityFields,
  overflowAffinities: optional(z.array(overflowAffinity)),
});

/** Limits on how many groups of clusters are picked. */
export const spreadConstraint = fields({
  /** Karmada takes it literally: 0 or absent picks no cluster when grouping by `cluster`. */
  maxGroups: optional(z.int()),
  minGroups: optional(z.int()),
  spreadByField: optional(z.enum(['cluster', 'region', 'zone', 'provider'])),
  spreadByLabel: optional(z.string()),
});

export const staticClusterWeight = fields({
  targetCluster: clusterAffinity,
  weight: int64.min(1),
});

/** Weights for `Weighted`; absent means equal weights. */
export const clusterPreferences = fields({
  /** Weight by the replicas each cluster can still hold; overrides the static list. */
  dynamicWeight: optional(z.enum(['AvailableReplicas'])),
  staticWeightList: optional(z.array(staticClusterWeight)),
});

/** How replicas are given to clusters. Absent as a whole, it means `Duplicated`. */
export const replicaSchedulingStrategy = fields({
  /** Only for `Divided`. `Aggregated`: as few clusters as possible. */
  replicaDivisionPreference: optional(z.enum(['Aggregated', 'Weighted'])),
  /** Default `Divided`, when the parent is present. */
  replicaSchedulingType: optional(z.enum(['Duplicated', 'Divided'])),
  weightPreference: optional(clusterPreferences),
});

export const workloadAffinityTerm = fields({ groupByLabelKey: z.string() });

/** Keep together with, or apart from, other workloads of the namespace. */
export const workloadAffinity = fields({
  affinity: optional(workloadAffinityTerm),
  antiAffinity: optional(workloadAffinityTerm),
});

/** How clusters are chosen and how replicas are divided over them. */
export const placement = fields({
  clusterAffinities: optional(z.array(clusterAffinityTerm)),
  /** Not together with `clusterAffinities`; neither set: every cluster is a candidate. */
  clusterAffinity: optional(clusterAffinity),
  clusterTolerations: optional(z.array(toleration)),
  replicaScheduling: optional(replicaSchedulingStrategy),
  spreadConstraints: optional(z.array(spreadConstraint)),
  workloadAffinity: optional(workloadAffinity),
});

export type { Toleration } from './toleration.js';
export type FieldSelectorRequirement = Immutable<z.infer<typeof fieldSelectorRequirement>>;
export type FieldSelector = Immutable<z.infer<typeof fieldSelector>>;
export type ClusterAffinity = Immutable<z.infer<typeof clusterAffinity>>;
export type OverflowAffinity = Immutable<z.infer<typeof overflowAffinity>>;
export type ClusterAffinityTerm = Immutable<z.infer<typeof clusterAffinityTerm>>;
export type SpreadConstraint = Immutable<z.infer<typeof spreadConstraint>>;
export type StaticClusterWeight = Immutable<z.infer<typeof staticClusterWeight>>;
export type ClusterPreferences = Immutable<z.infer<typeof clusterPreferences>>;
export type ReplicaSchedulingStrategy = Immutable<z.infer<typeof replicaSchedulingStrategy>>;
export type WorkloadAffinityTerm = Immutable<z.infer<typeof workloadAffinityTerm>>;
export type WorkloadAffinity = Immutable<z.infer<typeof workloadAffinity>>;
export type Placement = Immutable<z.infer<typeof placement>>;
