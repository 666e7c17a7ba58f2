import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { fields, objectMeta, optional } from './value.js';

export const clusterConditionMatch = fields({
  conditionStatus: z.string(),
  conditionType: z.string(),
  operator: z.enum(['Equal', 'NotEqual']),
});

export const remedySpec = fields({
  /** Shown in `status.remedyActions` of the Cluster; `TrafficControl` is the predefined one. */
  actions: optional(z.array(z.string())),
  /** Absent: all clusters. */
  clusterAffinity: optional(fields({ clusterNames: optional(z.array(z.string())) })),
  /** Any match triggers the actions; none triggers at once. */
  decisionMatches: optional(
    z.array(fields({ clusterConditionMatch: optional(clusterConditionMatch) })),
  ),
});

/** Actions for clusters in a given condition (remedy.karmada.io/v1alpha1). */
export const remedy = fields({
  apiVersion: z.literal('remedy.karmada.io/v1alpha1'),
  kind: z.literal('Remedy'),
  metadata: objectMeta,
  spec: remedySpec,
});

export type ClusterConditionMatch = Immutable<z.infer<typeof clusterConditionMatch>>;
export type RemedySpec = Immutable<z.infer<typeof remedySpec>>;
export type Remedy = Immutable<z.infer<typeof remedy>>;
