import { z } from 'zod';
import { condition } from './condition.js';
import type { Immutable } from './immutable.js';
import { clusterAffinity } from './placement.js';
import { fields, objectMeta, optional } from './value.js';

export const resourceRegistrySpec = fields({
  /** Absent: kept in memory. */
  backendStore: optional(
    fields({
      openSearch: optional(
        fields({
          /** http or https URLs. */
          addresses: z.array(z.string()),
          secretRef: optional(fields({ namespace: z.string(), name: z.string() })),
        }),
      ),
    }),
  ),
  /** No `name` and no `labelSelector` here, unlike in the policies. */
  resourceSelectors: z.array(
    fields({ apiVersion: z.string(), kind: z.string(), namespace: optional(z.string()) }),
  ),
  /** `{}` is all. */
  targetCluster: clusterAffinity,
});

/** What karmada-search caches (search.karmada.io/v1alpha1). */
export const resourceRegistry = fields({
  apiVersion: z.literal('search.karmada.io/v1alpha1'),
  kind: z.literal('ResourceRegistry'),
  metadata: objectMeta,
  spec: resourceRegistrySpec,
  status: optional(fields({ conditions: optional(z.array(condition)) })),
});

export type ResourceRegistrySpec = Immutable<z.infer<typeof resourceRegistrySpec>>;
export type ResourceRegistry = Immutable<z.infer<typeof resourceRegistry>>;
