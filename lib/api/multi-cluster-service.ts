import { z } from 'zod';
import { condition } from './condition.js';
import type { Immutable } from './immutable.js';
import { serviceLoadBalancerStatus } from './load-balancer-status.js';
import { fields, int32, listMap, objectMeta, optional } from './value.js';

export const exposurePort = fields({ name: optional(z.string()), port: int32 });

/** A cluster by name. */
export const clusterSelector = fields({ name: z.string() });

export const multiClusterServiceSpec = fields({
  /** Clusters that may call the Service; absent: all. */
  consumerClusters: optional(z.array(clusterSelector)),
  /** Karmada accepts and ignores it. */
  ports: optional(z.array(exposurePort)),
  /** Clusters that run the backends; absent: all. */
  providerClusters: optional(z.array(clusterSelector)),
  /** Former spelling, read by nothing. */
  range: optional(fields({ clusterNames: optional(z.array(z.string())) })),
  /** Former spelling, read by nothing. */
  serviceConsumptionClusters: optional(z.array(z.string())),
  /** Former spelling, read by nothing. */
  serviceProvisionClusters: optional(z.array(z.string())),
  /** Exactly one of `CrossCluster` and `LoadBalancer`; cannot be changed. */
  types: z.array(z.string()),
});

/** Exposes the Service of the same name across clusters (networking.karmada.io/v1alpha1). */
export const multiClusterService = fields({
  apiVersion: z.literal('networking.karmada.io/v1alpha1'),
  kind: z.literal('MultiClusterService'),
  metadata: objectMeta,
  spec: multiClusterServiceSpec,
  status: optional(
    fields({
      conditions: optional(listMap(condition, 'type')),
      loadBalancer: optional(serviceLoadBalancerStatus),
    }),
  ),
});

export type ExposurePort = Immutable<z.infer<typeof exposurePort>>;
export type ClusterSelector = Immutable<z.infer<typeof clusterSelector>>;
export type MultiClusterServiceSpec = Immutable<z.infer<typeof multiClusterServiceSpec>>;
export type MultiClusterService = Immutable<z.infer<typeof multiClusterService>>;
