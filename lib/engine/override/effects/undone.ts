import type { KubeObject } from '../../../api/object.js';
import { applyRules } from '../apply-rules.js';
import { fieldChanges } from '../field-changes.js';
import type { DocumentTools } from '../overriders/field.js';
import type { OverrideRule } from '../rule.js';

/** What became of one rule's edits of one object. */
export type RuleEffect =
  | { readonly kind: 'kept' }
  /** It had nothing to edit. */
  | { readonly kind: 'none' }
  /** The object would be the same without it, since a later rule writes the same fields. */
  | { readonly kind: 'undone'; readonly by: OverrideRule; readonly path: string };

/**
 * What becomes of each rule, in the order they apply. `states` holds the object before the first rule and after each.
 *
 * A rule is undone if leaving it out gives the same object in the end: parts of one field, such as registry and tag of
 * an image, may come from two rules, and both count.
 */
export function effectsOf(
  states: readonly KubeObject[],
  rules: readonly OverrideRule[],
  tools: DocumentTools,
): readonly RuleEffect[] {
  const [template] = states;
  const result = states.at(-1);
  if (template === undefined) return [];
  return rules.map((_, position): RuleEffect => {
    const paths = changedPaths(states, position);
    if (paths.length === 0) return { kind: 'none' };
    const others = rules.filter((__, other) => other !== position);
    const without = applyRules(template, others, tools);
    if (!without.ok || fieldChanges(without.value, result).length > 0) return { kind: 'kept' };
    const undoer = findUndoer(states, rules, position, paths);
    return undoer === undefined ? { kind: 'kept' } : { kind: 'undone', ...undoer };
  });
}

function changedPaths(states: readonly KubeObject[], position: number): readonly string[] {
  return fieldChanges(states[position], states[position + 1]).map(({ path }) => path);
}

function findUndoer(
  states: readonly KubeObject[],
  rules: readonly OverrideRule[],
  position: number,
  paths: readonly string[],
): { readonly by: OverrideRule; readonly path: string } | undefined {
  for (const [later, by] of rules.entries()) {
    if (later <= position) continue;
    const path = changedPaths(states, later).find((p) => paths.some((own) => overlap(own, p)));
    if (path !== undefined) return { by, path };
  }
  return undefined;
}

/** One is the other, or lies within it. */
function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
