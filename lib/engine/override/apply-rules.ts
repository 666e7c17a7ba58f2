import type { KubeObject } from '../../api/object.js';
import type { Overriders } from '../../api/overriders.js';
import { applyOverriders } from './apply-overriders.js';
import type { ContainerOverride } from './container-override.js';
import { overrideContainers } from './container-override.js';
import type { Edited, Fault } from './fault.js';
import type { DocumentTools } from './overriders/field.js';

/** A fault, with the rule that it comes from. */
export interface RuleFault<R> extends Fault {
  readonly rule: R;
}

export type Overridden<R> =
  | { readonly ok: true; readonly value: KubeObject }
  | { readonly ok: false; readonly fault: RuleFault<R> };

interface Edits {
  readonly overriders: Overriders;
  readonly containers?: ContainerOverride;
}

/** Apply rules in order; the first fault ends it, and the object is not to be used. */
export function applyRules<R extends Edits>(
  object: KubeObject,
  rules: readonly R[],
  tools: DocumentTools,
): Overridden<R> {
  let current = object;
  for (const rule of rules) {
    const next = applyRule(current, rule, tools);
    if (!next.ok) return { ok: false, fault: { ...next.fault, rule } };
    current = next.value;
  }
  return { ok: true, value: current };
}

function applyRule(
  object: KubeObject,
  { overriders, containers }: Edits,
  tools: DocumentTools,
): Edited<KubeObject> {
  return containers === undefined
    ? applyOverriders(object, overriders, tools)
    : overrideContainers(object, containers);
}
