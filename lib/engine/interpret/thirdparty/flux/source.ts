import type { KubeObject } from '../../../../api/object.js';
import { fieldAt, textAt } from '../../field.js';
import type { DependentReference, Interpreter } from '../../interpreter.js';
import { namespaceOf, referenceTo, uniqueReferences } from '../../pod/references.js';
import { isConditionTrue, mergeConditions } from '../pattern/conditions.js';
import { aggregateWithGeneration, blanks, lastOf, lastTexts } from '../pattern/status.js';

/** The aggregate of a Flux source: conditions merged, the last artifact, and the last text of each of `texts`. */
export function aggregateSource(
  ...texts: readonly string[]
): NonNullable<Interpreter['aggregateStatus']> {
  return aggregateWithGeneration({
    rest: (items) => ({
      conditions: mergeConditions(items),
      artifact: lastOf(items, 'artifact') ?? {},
      ...lastTexts(items, texts),
    }),
    initial: {
      conditions: [],
      artifact: {},
      ...blanks(texts),
    },
  });
}

/** Healthy when Ready is True for one of the reasons. */
export function isReadyFor(...reasons: readonly string[]): (object: KubeObject) => boolean {
  return (object) => isConditionTrue(fieldAt(object, 'status'), 'Ready', ...reasons);
}

/** Secrets whose names stand at paths below `spec`. */
export function secretsAt(
  ...paths: readonly (readonly string[])[]
): (object: KubeObject) => readonly DependentReference[] {
  return (object) => {
    const names = paths
      .map((path) => textAt(object, 'spec', ...path, 'name'))
      .filter((name) => name !== '');
    return uniqueReferences(
      names.map((name) => referenceTo('v1', 'Secret', namespaceOf(object), name)),
    );
  };
}

/** The service account in `spec.serviceAccountName`, also when it is `default`. */
export function serviceAccountOf(object: KubeObject): readonly DependentReference[] {
  const name = textAt(object, 'spec', 'serviceAccountName');
  return name === '' ? [] : [referenceTo('v1', 'ServiceAccount', namespaceOf(object), name)];
}
