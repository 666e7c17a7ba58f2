import { describeRef, refOf } from '../../object.js';
import { pointerTokens } from '../json-patch.js';
import { rulesOf, valuesAlong } from './edits.js';
import type { Finding, LintSubject } from './subject.js';
import { isFields } from '../../interpret/field.js';

/** `add /metadata/labels {x: y}` reads like adding one label, and drops all others. */
export function findReplacedMaps({ policy, matched }: LintSubject): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { path, overriders } of rulesOf(policy)) {
    for (const [position, { operator, path: pointer, value }] of (
      overriders.plaintext ?? []
    ).entries()) {
      if (operator === 'remove' || !isFields(value)) continue;
      for (const object of matched) {
        const lost = lostKeys(valuesAlong(object, pointer), pointer, value);
        if (lost.length === 0) continue;
        findings.push({
          code: 'OVERRIDE_REPLACES_MAP',
          severity: 'warning',
          summary: `${operator} ${pointer} drops ${lost.join(', ')} of ${describeRef(refOf(object))}.`,
          hint: `Set single keys, e.g. ${pointer}/${Object.keys(value)[0] ?? 'key'}${pointer.startsWith('/metadata/') ? ', or use labelsOverrider or annotationsOverrider' : ''}.`,
          path: [...path, 'plaintext', position],
        });
        break;
      }
    }
  }
  return findings;
}

function lostKeys(
  values: readonly unknown[],
  pointer: string,
  replacement: object,
): readonly string[] {
  const isThere = values.length === pointerTokens(pointer).length + 1;
  const current = values.at(-1);
  if (!isThere || !isFields(current)) return [];
  return Object.keys(current)
    .filter((key) => !Object.hasOwn(replacement, key))
    .sort();
}
