import { fieldAt, listAt, textAt, withField } from '../../field.js';
import { isUpdatedAndAvailable } from '../../aggregate/rolled-out.js';
import { reporting } from '../../aggregate/counters.js';
import type { AggregatedStatusItem, Interpreter } from '../../interpreter.js';
import { replicasOf, specCount, templateReferences } from '../pattern/pod-template.js';
import { aggregateWithGeneration, reflectWithGeneration } from '../pattern/status.js';

const COUNTERS = [
  'replicas',
  'readyReplicas',
  'updatedReplicas',
  'availableReplicas',
  'unavailableReplicas',
];

export const unitedDeployment: Interpreter = {
  kinds: [{ apiVersion: 'apps.kruise.io/v1alpha1', kind: 'UnitedDeployment' }],
  interpretReplica: (object) =>
    replicasOf(specCount(object, 'replicas'), fieldAt(object, 'spec', 'template')),
  reviseReplica: (object, replicas) => withField(object, ['spec', 'replicas'], replicas),
  interpretDependency: templateReferences,
  interpretStatus: reflectWithGeneration(...COUNTERS, 'observedGeneration', 'conditions'),

  interpretHealth(object) {
    return (
      fieldAt(object, 'spec') !== undefined &&
      fieldAt(object, 'status') !== undefined &&
      isUpdatedAndAvailable(object)
    );
  },

  aggregateStatus: aggregateWithGeneration({
    counters: COUNTERS,
    rest: (items) => {
      const conditions = latestConditions(items);
      return conditions.length > 0 ? { conditions } : {};
    },
  }),
};

/** One per type, the last member's. */
function latestConditions(items: readonly AggregatedStatusItem[]): readonly unknown[] {
  const byType = new Map<string, unknown>();
  for (const { status } of reporting(items)) {
    for (const condition of listAt(status, 'conditions'))
      byType.set(textAt(condition, 'type'), condition);
  }
  return [...byType.values()];
}
