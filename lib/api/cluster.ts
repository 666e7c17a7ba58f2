import { z } from 'zod';
import type { Immutable } from './immutable.js';
import {
  dateTime,
  fields,
  int32,
  int64,
  objectMeta,
  optional,
  quantity,
  resourceList,
  stringMap,
} from './value.js';

const secretReference = fields({ namespace: z.string(), name: z.string() });

/** Taint of a Cluster. */
export const taint = fields({
  key: z.string(),
  value: optional(z.string()),
  /** Clusters carry no `PreferNoSchedule`. */
  effect: z.enum(['NoSchedule', 'NoExecute']),
  /** Set by the system for `NoExecute`. */
  timeAdded: optional(dateTime),
});

export const resourceModelRange = fields({
  /** Resource name. */
  name: z.string(),
  /** Inclusive. */
  min: quantity,
  /** Exclusive. */
  max: quantity,
});

/** One grade of node size. */
export const resourceModel = fields({
  grade: z.int().min(0),
  ranges: z.array(resourceModelRange),
});

export const clusterSpec = fields({
  id: optional(z.string()),
  /** `Push`: the control plane writes to the cluster. `Pull`: an agent in the cluster fetches. */
  syncMode: z.enum(['Push', 'Pull']),
  apiEndpoint: optional(z.string()),
  secretRef: optional(secretReference),
  impersonatorSecretRef: optional(secretReference),
  insecureSkipTLSVerification: optional(z.boolean()),
  proxyURL: optional(z.string()),
  proxyHeader: optional(stringMap),
  provider: optional(z.string()),
  region: optional(z.string()),
  /** Deprecated in favour of `zones`. */
  zone: optional(z.string()),
  zones: optional(z.array(z.string())),
  taints: optional(z.array(taint)),
  resourceModels: optional(z.array(resourceModel)),
});

/** State of a Cluster. Only type and status matter to decisions; a fleet written by hand may leave out the rest. */
export const clusterCondition = fields({
  lastTransitionTime: optional(dateTime),
  message: optional(z.string()),
  observedGeneration: optional(int64),
  reason: optional(z.string()),
  status: z.enum(['True', 'False', 'Unknown']),
  type: z.string(),
});

export const apiEnablement = fields({
  groupVersion: z.string(),
  resources: optional(z.array(fields({ name: z.string(), kind: z.string() }))),
});

export const nodeSummary = fields({ totalNum: optional(int32), readyNum: optional(int32) });

/** Capacity. What is missing is unknown, never zero. */
export const resourceSummary = fields({
  allocatable: optional(resourceList),
  /** Requested by pods not yet bound to a node. */
  allocating: optional(resourceList),
  allocated: optional(resourceList),
  /** Nodes per grade of `spec.resourceModels`. */
  allocatableModelings: optional(z.array(fields({ grade: z.int().min(0), count: z.int() }))),
});

export const clusterStatus = fields({
  kubernetesVersion: optional(z.string()),
  apiEnablements: optional(z.array(apiEnablement)),
  conditions: optional(z.array(clusterCondition)),
  nodeSummary: optional(nodeSummary),
  resourceSummary: optional(resourceSummary),
  remedyActions: optional(z.array(z.string())),
});

/** A member cluster (cluster.karmada.io/v1alpha1). */
export const cluster = fields({
  apiVersion: z.literal('cluster.karmada.io/v1alpha1'),
  kind: z.literal('Cluster'),
  metadata: objectMeta,
  spec: clusterSpec,
  status: optional(clusterStatus),
});

export type Taint = Immutable<z.infer<typeof taint>>;
export type ResourceModelRange = Immutable<z.infer<typeof resourceModelRange>>;
export type ResourceModel = Immutable<z.infer<typeof resourceModel>>;
export type ClusterSpec = Immutable<z.infer<typeof clusterSpec>>;
export type ClusterCondition = Immutable<z.infer<typeof clusterCondition>>;
export type ApiEnablement = Immutable<z.infer<typeof apiEnablement>>;
export type NodeSummary = Immutable<z.infer<typeof nodeSummary>>;
export type ResourceSummary = Immutable<z.infer<typeof resourceSummary>>;
export type ClusterStatus = Immutable<z.infer<typeof clusterStatus>>;
export type Cluster = Immutable<z.infer<typeof cluster>>;
