import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { fields, objectMeta, optional, resourceList } from './value.js';

/** A ResourceQuota to create in one cluster. */
export const staticClusterAssignment = fields({ clusterName: z.string(), hard: resourceList });

export const federatedResourceQuotaSpec = fields({
  /** Hard limits of the namespace over all clusters. */
  overall: resourceList,
  staticAssignments: optional(z.array(staticClusterAssignment)),
});

export const federatedResourceQuotaStatus = fields({
  aggregatedStatus: optional(
    z.array(
      fields({
        clusterName: z.string(),
        hard: optional(resourceList),
        used: optional(resourceList),
      }),
    ),
  ),
  overall: optional(resourceList),
  overallUsed: optional(resourceList),
});

/** Quota of a namespace over all clusters (policy.karmada.io/v1alpha1). */
export const federatedResourceQuota = fields({
  apiVersion: z.literal('policy.karmada.io/v1alpha1'),
  kind: z.literal('FederatedResourceQuota'),
  metadata: objectMeta,
  spec: federatedResourceQuotaSpec,
  status: optional(federatedResourceQuotaStatus),
});

export type StaticClusterAssignment = Immutable<z.infer<typeof staticClusterAssignment>>;
export type FederatedResourceQuotaSpec = Immutable<z.infer<typeof federatedResourceQuotaSpec>>;
export type FederatedResourceQuotaStatus = Immutable<z.infer<typeof federatedResourceQuotaStatus>>;
export type FederatedResourceQuota = Immutable<z.infer<typeof federatedResourceQuota>>;
