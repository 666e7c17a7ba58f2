import type { KubeObject } from '../../../api/object.js';
import { describeRef, refOf } from '../../object.js';
import { CONTAINER_OVERRIDES } from '../container-override.js';
import { pointerTokens } from '../json-patch.js';
import { rulesOf, valuesAlong } from './edits.js';
import type { Finding, LintSubject } from './subject.js';

/**
 * Paths that count list items: another container in front, and the edit hits the wrong one. A note where the list has
 * one item, a warning where it has more.
 */
export function findIndexUse({ policy, matched }: LintSubject): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { path, overriders } of rulesOf(policy)) {
    for (const [field, edits] of [
      ['plaintext', (overriders.plaintext ?? []).map((edit) => edit.path)],
      [
        'imageOverrider',
        (overriders.imageOverrider ?? []).map((edit) => edit.predicate?.path ?? ''),
      ],
    ] as const) {
      for (const [position, pointer] of edits.entries()) {
        const hit = longestList(matched, pointer);
        if (hit === undefined) continue;
        findings.push({
          code: 'OVERRIDE_BY_INDEX',
          severity: hit.length > 1 ? 'warning' : 'info',
          summary: `${pointer} counts list items; in ${describeRef(refOf(hit.object))} that list has ${hit.length}.`,
          hint: hintFor(pointer),
          path: [...path, field, position],
        });
      }
    }
  }
  return findings;
}

function longestList(
  templates: readonly KubeObject[],
  pointer: string,
): { readonly object: KubeObject; readonly length: number } | undefined {
  let longest: { readonly object: KubeObject; readonly length: number } | undefined;
  const tokens = pointerTokens(pointer);
  for (const object of templates) {
    for (const [depth, value] of valuesAlong(object, pointer).entries()) {
      if (!Array.isArray(value) || !/^-?\d+$/.test(tokens[depth] ?? '')) continue;
      if (value.length > (longest?.length ?? 0)) longest = { object, length: value.length };
    }
  }
  return longest;
}

function hintFor(pointer: string): string {
  if (pointer.endsWith('/image'))
    return 'Use imageOverrider without predicate: it finds the images of all containers.';
  if (/\/(command|args)(\/|$)/.test(pointer))
    return 'Use commandOverrider or argsOverrider, which take the container by name.';
  if (/\/(containers|initContainers)\/\d/.test(pointer))
    return `Name the container instead: annotation ${CONTAINER_OVERRIDES} (not for Karmada control planes).`;
  return 'Check it again whenever the list changes, or give the clusters different templates.';
}
