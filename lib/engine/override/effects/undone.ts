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
  const paths = rules.map((_, i) =>
    fieldChanges(states[i], states[i + 1]).map((change) => change.path),
  );
  return rules.map((_, position): RuleEffect => {
    const own = paths[position] ?? [];
    if (own.length === 0) return { kind: 'none' };
    const undoer = findUndoer(own, position, paths);
    const by = rules[undoer?.position ?? -1];
    if (undoer === undefined || by === undefined) return { kind: 'kept' };
    const others = rules.filter((__, other) => other !== position);
    const without = applyRules(template, others, tools);
    const isMissed = !without.ok || fieldChanges(without.value, result).length > 0;
    return isMissed ? { kind: 'kept' } : { kind: 'undone', by, path: undoer.path };
  });
}

/** The first later rule that writes where this one did. */
function findUndoer(
  own: readonly string[],
  position: number,
  paths: readonly (readonly string[])[],
): { readonly position: number; readonly path: string } | undefined {
  for (const [later, theirs] of paths.entries()) {
    if (later <= position) continue;
    const path = theirs.find((their) => own.some((each) => overlap(each, their)));
    if (path !== undefined) return { position: later, path };
  }
  return undefined;
}

/** One is the other, or lies within it. */
function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
