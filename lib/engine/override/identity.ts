import type { KubeObject } from '../../api/object.js';
import { identityDifferences } from '../interpret/index.js';
import type { RuleFault } from './apply-rules.js';
import { applyRules } from './apply-rules.js';
import type { DocumentTools } from './overriders/field.js';
import type { OverrideRule } from './rule.js';

/**
 * The fault where rules made another object of an object: another apiVersion, kind, name or namespace.
 *
 * Karmada sends such an object to the member and loses sight of it; here a plan would say one object and write another,
 * so nothing is to be written. A name may change on the way and back: only the result counts, and the rule is the one
 * after which the object never was itself again.
 */
export function findIdentityFault<R extends Pick<OverrideRule, 'overriders' | 'containers'>>(
  before: KubeObject,
  after: KubeObject,
  rules: readonly R[],
  tools: DocumentTools,
): RuleFault<R> | undefined {
  const last = rules.at(-1);
  if (last === undefined) return undefined;
  const differences = identityDifferences(before, after);
  const [first] = differences;
  if (first === undefined) return undefined;
  const what = differences.map(({ message }) => message).join(', ');
  return {
    kind: 'identity',
    path: `/${first.path.join('/')}`,
    message: `it would be another object: ${what}`,
    rule: changerOf(before, rules, tools) ?? last,
  };
}

function changerOf<R extends Pick<OverrideRule, 'overriders' | 'containers'>>(
  object: KubeObject,
  rules: readonly R[],
  tools: DocumentTools,
): R | undefined {
  let current = object;
  let changer: R | undefined;
  for (const rule of rules) {
    const next = applyRules(current, [rule], tools);
    if (!next.ok) return changer;
    current = next.value;
    if (identityDifferences(object, current).length === 0) changer = undefined;
    else changer ??= rule;
  }
  return changer;
}
