import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { fields, optional, stringMap } from './value.js';

/** One set-based requirement. Kubernetes accepts `In`, `NotIn`, `Exists`, `DoesNotExist`; the schema any text. */
export const labelSelectorRequirement = fields({
  key: z.string(),
  operator: z.string(),
  /** Not empty for `In` and `NotIn`, empty for the other two. */
  values: optional(z.array(z.string())),
});

/** Kubernetes label selector. All parts must hold; an empty one selects everything. */
export const labelSelector = fields({
  matchExpressions: optional(z.array(labelSelectorRequirement)),
  matchLabels: optional(stringMap),
});

export type LabelSelectorRequirement = Immutable<z.infer<typeof labelSelectorRequirement>>;
export type LabelSelector = Immutable<z.infer<typeof labelSelector>>;
