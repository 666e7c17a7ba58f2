import type { KubeObject } from '../../api/object.js';
import { applyRules } from './apply-rules.js';
import type { Fault } from './fault.js';
import type { FieldChange } from './field-changes.js';
import { fieldChanges } from './field-changes.js';
import { findIdentityFault } from './identity.js';
import type { DocumentTools } from './overriders/field.js';
import type { OverrideRule } from './rule.js';
import { nameRule } from './rule.js';

/** What one rule did to an object. */
export interface OverrideStep {
  readonly policy: OverrideRule['policy'];
  /** Which of the policy's rules, e.g. `rule 2`. */
  readonly rule: string;
  /** Empty: the rule found nothing to change. */
  readonly changes: readonly FieldChange[];
  /** The edit that could not be made; it is the last step then, and there is no manifest. */
  readonly fault?: Fault;
}

/** Stands for a value of a Secret. */
export const HIDDEN = '(hidden)';

/**
 * The value before and after each rule, in the order the rules apply. Of a Secret only names and labels show their
 * values: everything else is {@link HIDDEN}.
 */
export function traceOverrides(
  object: KubeObject,
  rules: readonly OverrideRule[],
  tools: DocumentTools,
): readonly OverrideStep[] {
  const steps: OverrideStep[] = [];
  let current = object;
  const result = applyRules(object, rules, tools);
  const wrong = result.ok ? findIdentityFault(object, result.value, rules, tools) : undefined;
  for (const rule of rules) {
    const of = { policy: rule.policy, rule: nameRule(rule) };
    if (wrong?.rule === rule) {
      const { kind, path, message } = wrong;
      return [...steps, { ...of, changes: [], fault: { kind, path, message } }];
    }
    const next = applyRules(current, [rule], tools);
    if (!next.ok) {
      const { kind, path, message } = next.fault;
      return [...steps, { ...of, changes: [], fault: { kind, path, message } }];
    }
    const isSecret = current.kind === 'Secret' || next.value.kind === 'Secret';
    const changes = fieldChanges(current, next.value);
    steps.push({ ...of, changes: isSecret ? changes.map(hideValues) : changes });
    current = next.value;
  }
  return steps;
}

const SHOWN = /^\/(kind$|apiVersion$|metadata\/(name$|namespace$|labels(\/|$)))/;

/** Annotations are hidden too: kubectl keeps a copy of the data in one. */
function hideValues(change: FieldChange): FieldChange {
  if (SHOWN.test(change.path)) return change;
  return {
    path: change.path,
    ...('before' in change && { before: HIDDEN }),
    ...('after' in change && { after: HIDDEN }),
  };
}
