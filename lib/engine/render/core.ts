import type { KubeObject } from '../../api/object.js';
import { withField } from '../interpret/field.js';
import type { Interpreter } from '../interpret/interpreter.js';
import type { Overridden, OverrideRule } from '../override/index.js';
import { applyRules } from '../override/index.js';
import type { DocumentTools } from '../override/overriders/field.js';

/** One template, what one cluster gets of it, and how to write that into it. */
export interface RenderRequest {
  readonly template: KubeObject;
  /** Absent: the template's own count stays, as for kinds without replicas and for what is no workload. */
  readonly replicas?: number;
  /** This cluster's share of a Job's completions; absent: as in the template. */
  readonly completions?: number;
  /** This cluster's share of an autoscaler's bounds; absent: as in the template. */
  readonly bounds?: { readonly minReplicas: number; readonly maxReplicas: number } | undefined;
  /** In the order they are applied. */
  readonly rules: readonly OverrideRule[];
  readonly interpreter: Interpreter;
  readonly tools: DocumentTools;
}

/**
 * The part of rendering that every target shares: replicas, then completions and autoscaler bounds, then overrides (lifecycle reference §6).
 *
 * Replicas are written even when they are duplicated, so that the template's own number is never trusted; a kind that
 * cannot be revised keeps it. What the API server owns is still there: {@link prune} follows.
 */
export function renderCore(request: RenderRequest): Overridden<OverrideRule> {
  const { template, replicas, completions, bounds, rules, interpreter, tools } = request;
  const revised =
    replicas === undefined
      ? template
      : (interpreter.reviseReplica?.(template, replicas) ?? template);
  const divided =
    completions === undefined ? revised : withField(revised, ['spec', 'completions'], completions);
  const bounded =
    bounds === undefined
      ? divided
      : { ...divided, spec: { ...(divided['spec'] as object), ...bounds } };
  return applyRules(bounded, rules, tools);
}
