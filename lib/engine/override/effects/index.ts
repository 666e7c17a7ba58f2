/**
 * What overrides do once they are applied: edits that another rule takes back, values that no API server takes.
 * Knows the objects that come out; knows nothing of placement.
 *
 * @module
 */
import type { KubeObject, ObjectRef } from '../../../api/object.js';
import type { Diagnostic } from '../../diagnostic.js';
import type { Profile } from '../../input.js';
import { describeRef } from '../../object.js';
import { nameClusters } from '../affected.js';
import { applyRules } from '../apply-rules.js';
import type { OverrideSet } from '../compile.js';
import type { DocumentTools } from '../overriders/field.js';
import type { OverrideRule } from '../rule.js';
import { describeRule, placeOfRule } from '../rule.js';
import type { RuleEffect } from './undone.js';
import { effectsOf } from './undone.js';
import type { ValueFault } from './value-rules.js';
import { findValueFaults } from './value-rules.js';

/** One object under one set of rules, and where. */
export interface OverrideUse {
  readonly resource: ObjectRef;
  readonly template: KubeObject;
  readonly set: OverrideSet;
  readonly clusters: string[];
}

/** Distinct (object × set) of a plan, by template. */
export type OverrideUses = Map<KubeObject, Map<OverrideSet, OverrideUse>>;

/** Remember that a template is rendered with a set of rules for a cluster. */
export function noteUse(
  uses: OverrideUses,
  resource: ObjectRef,
  template: KubeObject,
  set: OverrideSet,
  cluster: string,
): void {
  if (set.rules.length === 0) return;
  const ofTemplate = uses.get(template) ?? new Map<OverrideSet, OverrideUse>();
  uses.set(template, ofTemplate);
  const use = ofTemplate.get(set);
  if (use === undefined) ofTemplate.set(set, { resource, template, set, clusters: [cluster] });
  else use.clusters.push(cluster);
}

/**
 * `OVERRIDE_UNDONE` for each rule of which nothing is left on any object and cluster; a general rule that more precise
 * ones replace here and there is what the order of policies is for. `OVERRIDE_VALUE_INVALID` for each value of a known
 * kind that an API server would refuse and that the template did not have. Uses whose rules cannot be applied are
 * reported elsewhere (`findRenderFaults`).
 */
export function findOverrideEffects(
  uses: OverrideUses,
  tools: DocumentTools,
  profile: Profile,
): readonly Diagnostic[] {
  const fates = new Map<string, Fate>();
  const invalid = new Map<string, Invalid>();
  for (const use of [...uses.values()].flatMap((sets) => [...sets.values()])) {
    const states = statesOf(use, tools);
    if (states === undefined) {
      // Nobody knows what its rules would have done.
      for (const rule of use.set.rules) noteFate(fates, rule, { kind: 'kept' }, use);
      continue;
    }
    const effects = effectsOf(states, use.set.rules, tools);
    for (const [i, rule] of use.set.rules.entries())
      noteFate(fates, rule, effects[i] ?? { kind: 'none' }, use);
    for (const fault of faultsOf(states, use)) noteInvalid(invalid, fault, use);
  }
  return [
    ...[...fates.values()].flatMap(describeFate),
    ...[...invalid.values()].map((found) => describeInvalid(found, profile)),
  ];
}

/** The object before the first rule and after each; `undefined` where one cannot be applied. */
function statesOf(
  { template, set }: OverrideUse,
  tools: DocumentTools,
): readonly KubeObject[] | undefined {
  const states = [template];
  let current = template;
  for (const rule of set.rules) {
    const next = applyRules(current, [rule], tools);
    if (!next.ok) return undefined;
    current = next.value;
    states.push(current);
  }
  return states;
}

/** A rule, and whether anything of it is left; `undone` holds the first place where nothing is. */
interface Fate {
  readonly rule: OverrideRule;
  kept: boolean;
  undone?: { readonly resource: ObjectRef; readonly by: OverrideRule; readonly path: string };
}

function noteFate(
  fates: Map<string, Fate>,
  rule: OverrideRule,
  effect: RuleEffect,
  { resource }: OverrideUse,
): void {
  const key = identityOf(rule);
  const fate = fates.get(key) ?? { rule, kept: false };
  fates.set(key, fate);
  if (effect.kind === 'kept') fate.kept = true;
  if (effect.kind === 'undone') fate.undone ??= { resource, by: effect.by, path: effect.path };
}

function describeFate({ rule, kept, undone }: Fate): readonly Diagnostic[] {
  if (kept || undone === undefined) return [];
  const { resource, by, path } = undone;
  return [
    {
      code: 'OVERRIDE_UNDONE',
      severity: 'warning',
      summary: `Nothing is left of ${describeRule(rule)}: ${describeRule(by)} changes ${path} of ${describeRef(resource)} after it.`,
      hint: 'Remove one of the two, or narrow their clusters. The order is: cluster-wide policies first, then by precision of the selector, then by name.',
      ...placeOfRule(rule),
    },
  ];
}

interface InvalidValue extends ValueFault {
  readonly rule: OverrideRule;
}

interface Invalid {
  readonly fault: InvalidValue;
  readonly resource: ObjectRef;
  readonly clusters: string[];
}

/** Faults of the last state that the template has not, each with the last rule that wrote the value. */
function faultsOf(states: readonly KubeObject[], { set }: OverrideUse): readonly InvalidValue[] {
  const [template] = states;
  const result = states.at(-1);
  if (template === undefined || result === undefined) return [];
  const final = findValueFaults(template, result);
  if (final.length === 0) return [];
  const steps = states.slice(1).map((after, i) => {
    const before = states[i];
    return new Set(before === undefined ? [] : findValueFaults(before, after).map(keyOf));
  });
  return final.flatMap((fault) => {
    const rule = set.rules[steps.findLastIndex((faults) => faults.has(keyOf(fault)))];
    return rule === undefined ? [] : [{ ...fault, rule }];
  });
}

function keyOf({ path, value }: ValueFault): string {
  return `${path} ${JSON.stringify(value)}`;
}

function noteInvalid(
  invalid: Map<string, Invalid>,
  fault: InvalidValue,
  { resource, clusters }: OverrideUse,
): void {
  const key = JSON.stringify([resource, identityOf(fault.rule), fault.path]);
  const found = invalid.get(key);
  if (found === undefined) invalid.set(key, { fault, resource, clusters: [...clusters] });
  else found.clusters.push(...clusters);
}

function describeInvalid({ fault, resource, clusters }: Invalid, profile: Profile): Diagnostic {
  const { rule, path, expected, value } = fault;
  return {
    code: 'OVERRIDE_VALUE_INVALID',
    severity: profile === 'karmada' ? 'warning' : 'error',
    summary: `${describeRule(rule)} sets ${path} of ${describeRef(resource)} for ${nameClusters(clusters)} to ${describeValue(value, resource)}, but it must be ${expected}.`,
    hint: 'Correct the value. The clusters would refuse the object.',
    ...placeOfRule(rule),
  };
}

/** Never a value of a Secret. */
function describeValue(value: unknown, { kind }: ObjectRef): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return kind === 'Secret' ? `a ${typeof value}` : JSON.stringify(value).slice(0, 60);
}

function identityOf({ policy, position }: OverrideRule): string {
  return JSON.stringify([policy.kind, policy.namespace ?? '', policy.name, position]);
}
