import { fieldAt, textAt } from '../../field.js';
import { latest } from '../../aggregate/time.js';
import { reporting } from '../../aggregate/counters.js';
import type { AggregatedStatusItem, Interpreter } from '../../interpreter.js';
import { withoutEmpty } from '../pattern/answer.js';
import { isConditionTrue } from '../pattern/conditions.js';
import { numberOf } from '../pattern/number.js';
import { addQuantities } from '../pattern/quantity.js';
import { soleStatus, sums, withStatus } from '../pattern/status.js';
import { allConditions, clusterComponents, firstOf, withoutSpec } from './cluster-spec.js';

const COUNTERS = [
  'readyWorkerReplicas',
  'availableWorkerReplicas',
  'maxWorkerReplicas',
  'minWorkerReplicas',
  'desiredWorkerReplicas',
];

export const rayCluster: Interpreter = {
  kinds: [{ apiVersion: 'ray.io/v1', kind: 'RayCluster' }],
  interpretComponent: (object) => clusterComponents(fieldAt(object, 'spec')),

  interpretHealth(object) {
    const status = fieldAt(object, 'status');
    return (
      isConditionTrue(status, 'HeadPodReady') &&
      isConditionTrue(status, 'RayClusterProvisioned') &&
      !isConditionTrue(status, 'RayClusterReplicaFailure')
    );
  },

  aggregateStatus(template, items) {
    if (items === undefined) return withoutEmpty(template);
    const bare = withoutSpec(template);
    return soleStatus(bare, items) ?? withStatus(bare, clusterStatus(items));
  },
};

function clusterStatus(items: readonly AggregatedStatusItem[]): Record<string, unknown> {
  const quantities = (field: string): string =>
    addQuantities(['0', ...reporting(items).map(({ status }) => fieldAt(status, field) ?? '0')]);
  const numbers = (field: string): string =>
    String(
      reporting(items).reduce((sum, { status }) => sum + numberOf(fieldAt(status, field), 0), 0),
    );
  const stated = reporting(items).find(({ status }) => textAt(status, 'state') !== '')?.status;
  return {
    conditions: allConditions(items),
    ...sums(items, COUNTERS),
    desiredCPU: quantities('desiredCPU'),
    desiredMemory: quantities('desiredMemory'),
    desiredGPU: numbers('desiredGPU'),
    desiredTPU: numbers('desiredTPU'),
    lastUpdateTime: latest(reporting(items).map(({ status }) => textAt(status, 'lastUpdateTime'))),
    endpoints: firstOf(items, 'endpoints'),
    head: firstOf(items, 'head'),
    state: fieldAt(stated, 'state'),
    stateTransitionTimes: fieldAt(stated, 'stateTransitionTimes'),
  };
}
