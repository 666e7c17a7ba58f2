import type { KubeObject } from '../../../../api/object.js';
import { fieldAt, listAt, objectAt, textAt } from '../../field.js';
import type { AggregatedStatusItem, DependentReference, Interpreter } from '../../interpreter.js';
import { namespaceOf, referenceTo, uniqueReferences } from '../../pod/references.js';
import { mergeConditions } from '../pattern/conditions.js';
import {
  aggregateWithGeneration,
  blanks,
  lastTexts,
  reflectWithGeneration,
  sums,
} from '../pattern/status.js';
import { retainSuspend } from '../pattern/suspend.js';
import { isReadyFor, secretsAt, serviceAccountOf } from './source.js';

const TEXTS = [
  'lastAttemptedRevision',
  'lastAppliedRevision',
  'lastAttemptedValuesChecksum',
  'helmChart',
  'lastReleaseRevision',
];
const FAILURES = ['failures', 'upgradeFailures', 'installFailures'];
const SECRETS = secretsAt(['chart', 'spec', 'verify', 'secretRef'], ['kubeConfig', 'secretRef']);

export const helmRelease: Interpreter = {
  kinds: [{ apiVersion: 'helm.toolkit.fluxcd.io/v2beta1', kind: 'HelmRelease' }],
  retain: retainSuspend,
  interpretHealth: isReadyFor('ReconciliationSucceeded'),
  interpretStatus: reflectWithGeneration('conditions', 'observedGeneration', ...TEXTS, ...FAILURES),
  aggregateStatus: aggregateWithGeneration({
    rest: (items, template) => ({
      conditions: mergeConditions(items),
      ...lastTexts(items, TEXTS, objectAt(template, 'status') ?? {}),
      ...growingFailures(items, template),
    }),
    initial: {
      conditions: [],
      ...blanks(TEXTS),
      ...Object.fromEntries(FAILURES.map((name) => [name, 0])),
    },
  }),

  interpretDependency(object) {
    const values = listAt(object, 'spec', 'valuesFrom').map((source): DependentReference =>
      referenceTo('v1', textAt(source, 'kind'), namespaceOf(object), textAt(source, 'name')),
    );
    return uniqueReferences([...values, ...SECRETS(object), ...serviceAccountOf(object)]);
  },
};

/** As in Karmada, failures are added to what the template has already, and only where it has a count. */
function growingFailures(
  items: readonly AggregatedStatusItem[],
  template: KubeObject,
): Record<string, number> {
  const added = sums(items, FAILURES);
  const counts: Record<string, number> = {};
  for (const name of FAILURES) {
    const current = fieldAt(template, 'status', name);
    if (typeof current === 'number') counts[name] = current + (added[name] ?? 0);
  }
  return counts;
}
