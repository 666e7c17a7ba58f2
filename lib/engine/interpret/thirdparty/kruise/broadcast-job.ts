import { countAt, fieldAt, listAt, objectAt, textAt, withField } from '../../field.js';
import { reporting } from '../../aggregate/counters.js';
import type { AggregatedStatusItem, Interpreter } from '../../interpreter.js';
import { replicasOf, specCount, templateReferences } from '../pattern/pod-template.js';
import { lastTexts, reflect, sums, withStatus } from '../pattern/status.js';

const COUNTERS = ['active', 'succeeded', 'failed', 'desired'];

export const broadcastJob: Interpreter = {
  kinds: [{ apiVersion: 'apps.kruise.io/v1alpha1', kind: 'BroadcastJob' }],
  interpretReplica: (object) =>
    replicasOf(specCount(object, 'parallelism', 1), fieldAt(object, 'spec', 'template')),
  reviseReplica: (object, replicas) => withField(object, ['spec', 'parallelism'], replicas),
  interpretDependency: templateReferences,
  interpretStatus: reflect('conditions', 'startTime', 'completionTime', ...COUNTERS, 'phase'),

  /** A status that does not say how many failed is not healthy. */
  interpretHealth(object) {
    const status = fieldAt(object, 'status');
    if (countAt(status, 'desired') === 0 || fieldAt(status, 'failed') !== 0) return false;
    return countAt(status, 'succeeded') !== 0 || countAt(status, 'active') !== 0;
  },

  retain(desired, observed) {
    const labels = objectAt(observed, 'spec', 'template', 'metadata', 'labels');
    return labels === undefined
      ? desired
      : withField(desired, ['spec', 'template', 'metadata', 'labels'], labels);
  },

  aggregateStatus(template, items) {
    if (items === undefined) return template;
    return withStatus(template, {
      ...objectAt(template, 'status'),
      ...sums(items, COUNTERS),
      ...lastTexts(items, ['phase']),
      conditions: conditionsOf(items),
    });
  },
};

/**
 * As in Karmada, a member without an outcome has that of the member before it, and the condition's type is `Completed`.
 */
function conditionsOf(items: readonly AggregatedStatusItem[]): readonly unknown[] {
  const failed: string[] = [];
  let completed = 0;
  let outcome = '';
  for (const { clusterName, status } of reporting(items)) {
    const end = listAt(status, 'conditions').find(
      (c) => textAt(c, 'status') === 'True' && ['Complete', 'Failed'].includes(textAt(c, 'type')),
    );
    outcome = textAt(end, 'type') || outcome;
    if (outcome === 'Failed') failed.push(clusterName);
    if (outcome === 'Complete') completed += 1;
  }
  const conditions: unknown[] = [];
  if (failed.length > 0) {
    const message = `Job executed failed in member clusters: ${failed.join(', ')}`;
    conditions.push({ type: 'Failed', status: 'True', reason: 'JobFailed', message });
  }
  if (completed === items.length && completed > 0) {
    conditions.push({
      type: 'Completed',
      status: 'True',
      reason: 'Completed',
      message: 'Job completed',
    });
  }
  return conditions;
}
