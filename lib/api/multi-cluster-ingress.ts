import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { ingressLoadBalancerStatus } from './load-balancer-status.js';
import { fields, int32, objectMeta, optional } from './value.js';

/** Where traffic goes: exactly one of `service` and `resource`. */
export const ingressBackend = fields({
  resource: optional(
    fields({ apiGroup: optional(z.string()), kind: z.string(), name: z.string() }),
  ),
  service: optional(
    fields({
      name: z.string(),
      /** By name or by number, not both. */
      port: optional(fields({ name: optional(z.string()), number: optional(int32) })),
    }),
  ),
});

export const ingressPath = fields({
  backend: ingressBackend,
  path: optional(z.string()),
  /** `Exact`, `Prefix` or `ImplementationSpecific`. */
  pathType: z.string(),
});

export const ingressRule = fields({
  /** Absent or empty: all hosts. */
  host: optional(z.string()),
  http: optional(fields({ paths: z.array(ingressPath) })),
});

export const multiClusterIngressSpec = fields({
  defaultBackend: optional(ingressBackend),
  ingressClassName: optional(z.string()),
  rules: optional(z.array(ingressRule)),
  tls: optional(
    z.array(fields({ hosts: optional(z.array(z.string())), secretName: optional(z.string()) })),
  ),
});

/** Ingress over several clusters (networking.karmada.io/v1alpha1). */
export const multiClusterIngress = fields({
  apiVersion: z.literal('networking.karmada.io/v1alpha1'),
  kind: z.literal('MultiClusterIngress'),
  metadata: objectMeta,
  spec: optional(multiClusterIngressSpec),
  status: optional(
    fields({
      loadBalancer: optional(ingressLoadBalancerStatus),
      serviceLocations: optional(
        z.array(fields({ clusters: optional(z.array(z.string())), name: z.string() })),
      ),
      trafficBlockClusters: optional(z.array(z.string())),
    }),
  ),
});

export type IngressBackend = Immutable<z.infer<typeof ingressBackend>>;
export type IngressPath = Immutable<z.infer<typeof ingressPath>>;
export type IngressRule = Immutable<z.infer<typeof ingressRule>>;
export type MultiClusterIngressSpec = Immutable<z.infer<typeof multiClusterIngressSpec>>;
export type MultiClusterIngress = Immutable<z.infer<typeof multiClusterIngress>>;
