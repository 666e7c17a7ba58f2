import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { overriders } from './overriders.js';
import { clusterAffinity } from './placement.js';
import { resourceSelector } from './resource-selector.js';
import { fields, objectMeta, optional } from './value.js';

/** Edits for the clusters that match; absent `targetCluster` means all. */
export const ruleWithCluster = fields({
  overriders,
  targetCluster: optional(clusterAffinity),
});

export const overrideSpec = fields({
  overrideRules: optional(z.array(ruleWithCluster)),
  /** Deprecated in favour of `overrideRules`. */
  overriders: optional(overriders),
  /** Absent: all templates. */
  resourceSelectors: optional(z.array(resourceSelector)),
  /** Deprecated in favour of `overrideRules`. */
  targetCluster: optional(clusterAffinity),
});

/** Edits templates of its own namespace on the way to member clusters (policy.karmada.io/v1alpha1). */
export const overridePolicy = fields({
  apiVersion: z.literal('policy.karmada.io/v1alpha1'),
  kind: z.literal('OverridePolicy'),
  metadata: objectMeta,
  spec: overrideSpec,
});

export type RuleWithCluster = Immutable<z.infer<typeof ruleWithCluster>>;
export type OverrideSpec = Immutable<z.infer<typeof overrideSpec>>;
export type OverridePolicy = Immutable<z.infer<typeof overridePolicy>>;
