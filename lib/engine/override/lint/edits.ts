import type { OverridePolicy } from '../../../api/override-policy.js';
import type { Overriders } from '../../../api/overriders.js';
import { indexOf, pointerTokens } from '../json-patch.js';

/** The edits of one rule, with the place of the rule in the policy. */
export interface RuleEdits {
  readonly path: readonly (string | number)[];
  readonly overriders: Overriders;
}

/** All rules that count: `overrideRules`, or the deprecated fields where there are none. */
export function rulesOf({ spec }: OverridePolicy): readonly RuleEdits[] {
  const { overrideRules = [], overriders } = spec;
  if (overrideRules.length === 0) {
    return overriders === undefined ? [] : [{ path: ['spec', 'overriders'], overriders }];
  }
  return overrideRules.map((rule, position) => ({
    path: ['spec', 'overrideRules', position, 'overriders'],
    overriders: rule.overriders,
  }));
}

/** The values along a JSON pointer, from the object itself to what it names; shorter where the path ends. */
export function valuesAlong(object: unknown, pointer: string): readonly unknown[] {
  const values: unknown[] = [object];
  for (const token of pointerTokens(pointer)) {
    const node = values.at(-1);
    if (typeof node !== 'object' || node === null) break;
    const key = Array.isArray(node) ? indexOf(token, node.length) : token;
    if (key === undefined || !Object.hasOwn(node, key)) break;
    values.push((node as Record<string | number, unknown>)[key]);
  }
  return values;
}
