import type { KubeObject } from '../../api/object.js';
import type { ResourceSelector } from '../../api/resource-selector.js';
import { compileLabelSelector } from '../label-selector.js';

/** How closely a selector fits: 0 not at all, 1 all of the kind, 2 by label, 3 by name. Karmada's implicit priority. */
export type MatchLevel = 0 | 1 | 2 | 3;

/**
 * How closely a selector fits a template.
 *
 * A label selector beside a name is ignored; an empty label selector is one (level 2); a malformed one fits nothing.
 * An empty namespace fits every namespace; the policy's scope is looked at elsewhere. Source: scheduling reference §3.2.
 */
export function matchLevel(selector: ResourceSelector, template: KubeObject): MatchLevel {
  if (selector.apiVersion !== template.apiVersion || selector.kind !== template.kind) return 0;
  const { name, namespace, labels } = template.metadata;
  if (isSet(selector.namespace) && selector.namespace !== namespace) return 0;
  if (isSet(selector.name)) return selector.name === name ? 3 : 0;
  if (isAbsent(selector.labelSelector)) return 1;
  return compileLabelSelector(selector.labelSelector)(labels) ? 2 : 0;
}

/** The level of the selector that fits best. */
export function implicitPriority(
  selectors: readonly ResourceSelector[],
  template: KubeObject,
): MatchLevel {
  let best: MatchLevel = 0;
  for (const selector of selectors) {
    const level = matchLevel(selector, template);
    if (level > best) best = level;
  }
  return best;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Kubernetes does not tell an empty text, or the null of an empty YAML field, from an absent one. */
export function isSet(text: string | null | undefined): text is string {
  return typeof text === 'string' && text !== '';
}
