import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { fields, int32, listMap, objectMeta, optional } from './value.js';

export const servicePort = fields({
  appProtocol: optional(z.string()),
  name: optional(z.string()),
  port: int32,
  /** `TCP` (default), `UDP` or `SCTP`. */
  protocol: optional(z.string()),
});

export const serviceImportSpec = fields({
  ips: optional(z.array(z.string()).max(1)),
  ports: z.array(servicePort),
  /** `None` (default) or `ClientIP`. */
  sessionAffinity: optional(z.string()),
  sessionAffinityConfig: optional(
    fields({ clientIP: optional(fields({ timeoutSeconds: optional(int32) })) }),
  ),
  type: z.enum(['ClusterSetIP', 'Headless']),
});

/** Imports a Service; Karmada makes a Service `derived-<name>` of it (multicluster.x-k8s.io/v1alpha1). */
export const serviceImport = fields({
  apiVersion: z.literal('multicluster.x-k8s.io/v1alpha1'),
  kind: z.literal('ServiceImport'),
  metadata: objectMeta,
  spec: optional(serviceImportSpec),
  status: optional(
    fields({ clusters: optional(listMap(fields({ cluster: z.string() }), 'cluster')) }),
  ),
});

export type ServicePort = Immutable<z.infer<typeof servicePort>>;
export type ServiceImportSpec = Immutable<z.infer<typeof serviceImportSpec>>;
export type ServiceImport = Immutable<z.infer<typeof serviceImport>>;
