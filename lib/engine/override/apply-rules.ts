import type { KubeObject } from '../../api/object.js';
import type { Overriders } from '../../api/overriders.js';
import { applyOverriders } from './apply-overriders.js';
import type { Fault } from './fault.js';
import type { DocumentTools } from './overriders/field.js';

/** A fault, with the rule that it comes from. */
export interface RuleFault<R> extends Fault {
  readonly rule: R;
}

export type Overridden<R> =
  | { readonly ok: true; readonly value: KubeObject }
  | { readonly ok: false; readonly fault: RuleFault<R> };

/** Apply rules in order; the first fault ends it, and the object is not to be used. */
export function applyRules<R extends { readonly overriders: Overriders }>(
  object: KubeObject,
  rules: readonly R[],
  tools: DocumentTools,
): Overridden<R> {
  let current = object;
  for (const rule of rules) {
    const next = applyOverriders(current, rule.overriders, tools);
    if (!next.ok) return { ok: false, fault: { ...next.fault, rule } };
    current = next.value;
  }
  return { ok: true, value: current };
}
