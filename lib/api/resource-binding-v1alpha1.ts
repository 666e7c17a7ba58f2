import { z } from 'zod';
import { condition } from './condition.js';
import type { Immutable } from './immutable.js';
import { fields, freeForm, int32, objectMeta, optional, resourceList } from './value.js';

const body = {
  apiVersion: z.literal('work.karmada.io/v1alpha1'),
  metadata: objectMeta,
  spec: fields({
    clusters: optional(z.array(fields({ name: z.string(), replicas: optional(int32) }))),
    resource: fields({
      apiVersion: z.string(),
      kind: z.string(),
      name: z.string(),
      namespace: optional(z.string()),
      /** `spec.replicas` in v1alpha2. */
      replicas: optional(int32),
      /** `spec.replicaRequirements.resourceRequest` in v1alpha2. */
      resourcePerReplicas: optional(resourceList),
      resourceVersion: optional(z.string()),
    }),
  }),
  status: optional(
    fields({
      aggregatedStatus: optional(
        z.array(
          fields({
            applied: optional(z.boolean()),
            appliedMessage: optional(z.string()),
            clusterName: z.string(),
            status: optional(freeForm),
          }),
        ),
      ),
      conditions: optional(z.array(condition)),
    }),
  ),
};

/** The older form of ResourceBinding, still served. */
export const resourceBindingV1alpha1 = fields({ kind: z.literal('ResourceBinding'), ...body });

/** The older form of ClusterResourceBinding, still served. */
export const clusterResourceBindingV1alpha1 = fields({
  kind: z.literal('ClusterResourceBinding'),
  ...body,
});

export type ResourceBindingV1alpha1 = Immutable<z.infer<typeof resourceBindingV1alpha1>>;
export type ClusterResourceBindingV1alpha1 = Immutable<
  z.infer<typeof clusterResourceBindingV1alpha1>
>;
