import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { fields, int32, objectMeta, optional } from './value.js';

/** Where to call: exactly one of `url` and `service`. */
export const webhookClientConfig = fields({
  /** PEM bundle, base64. */
  caBundle: optional(z.base64().min(1)),
  service: optional(
    fields({
      name: z.string(),
      namespace: z.string(),
      path: optional(z.string()),
      /** Default 443. */
      port: optional(int32),
    }),
  ),
  url: optional(z.string()),
});

/** What a webhook handles; in each list `*` must stand alone. */
export const ruleWithOperations = fields({
  apiGroups: z.array(z.string()),
  apiVersions: z.array(z.string()),
  kinds: z.array(z.string()),
  operations: z.array(z.string()),
});

export const resourceInterpreterWebhook = fields({
  clientConfig: webhookClientConfig,
  /** In order of preference; must contain `v1alpha1`. */
  interpreterContextVersions: z.array(z.string()),
  /** Fully qualified, unique. */
  name: z.string(),
  rules: optional(z.array(ruleWithOperations)),
  /** 1 to 30. */
  timeoutSeconds: optional(int32),
});

/** Registers interpreter webhooks (config.karmada.io/v1alpha1). There is no `spec`. */
export const resourceInterpreterWebhookConfiguration = fields({
  apiVersion: z.literal('config.karmada.io/v1alpha1'),
  kind: z.literal('ResourceInterpreterWebhookConfiguration'),
  metadata: objectMeta,
  webhooks: z.array(resourceInterpreterWebhook),
});

export type WebhookClientConfig = Immutable<z.infer<typeof webhookClientConfig>>;
export type RuleWithOperations = Immutable<z.infer<typeof ruleWithOperations>>;
export type ResourceInterpreterWebhook = Immutable<z.infer<typeof resourceInterpreterWebhook>>;
export type ResourceInterpreterWebhookConfiguration = Immutable<
  z.infer<typeof resourceInterpreterWebhookConfiguration>
>;
