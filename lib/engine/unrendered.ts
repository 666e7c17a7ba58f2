import type { Diagnostic } from './diagnostic.js';
import { describeRef, refKey } from './object.js';
import { UNRENDERED, type Plan } from './plan.js';

/**
 * What could not be rendered, as errors for those who hand over whole trees of manifests: a tree without an object removes
 * it. Profile `karmada` goes on without such an object, and what applies objects one by one leaves it as it is. One finding
 * per object, in the order of the changes.
 */
export function refuseUnrendered({ changes }: Pick<Plan, 'changes'>): readonly Diagnostic[] {
  const clusters = new Map<string, string[]>();
  const unrendered = changes.filter((change) => change.class === UNRENDERED);
  for (const { cluster, resource } of unrendered) {
    const key = refKey(resource);
    clusters.set(key, [...(clusters.get(key) ?? []), cluster]);
  }
  return [...clusters].map(([key, names]): Diagnostic => {
    const resource = unrendered.find((change) => refKey(change.resource) === key)?.resource;
    const what = resource === undefined ? key : describeRef(resource);
    return {
      code: 'MANIFEST_NOT_RENDERED',
      severity: 'error',
      summary: `${what} could not be rendered for ${names.join(', ')}, and what is written without it would remove it there.`,
      hint: 'Correct what failed, as the other findings say, then run this again.',
      ...(resource !== undefined && { resource }),
    };
  });
}
