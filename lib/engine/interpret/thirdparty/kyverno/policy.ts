import { fieldAt } from '../../field.js';
import { InterpretError } from '../../interpret-error.js';
import { reporting } from '../../aggregate/counters.js';
import type { AggregatedStatusItem, Interpreter } from '../../interpreter.js';
import { withoutEmpty } from '../pattern/answer.js';
import { isConditionTrue, mergeConditions } from '../pattern/conditions.js';
import { lastOf, reflect, withStatus } from '../pattern/status.js';

const RULE_COUNTS = ['validate', 'generate', 'mutate', 'verifyimages'] as const;

/** ClusterPolicy and Policy, which differ in nothing but their scope. */
export const kyvernoPolicy: Interpreter = {
  kinds: [
    { apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy' },
    { apiVersion: 'kyverno.io/v1', kind: 'Policy' },
  ],
  interpretStatus: reflect('autogen', 'conditions', 'ready', 'rulecount'),

  interpretHealth(object) {
    const ready = fieldAt(object, 'status', 'ready');
    return ready === undefined
      ? isConditionTrue(fieldAt(object, 'status'), 'Ready', 'Succeeded')
      : ready === true;
  },

  aggregateStatus(template, items) {
    if (items === undefined) return withoutEmpty(template);
    return withStatus(template, {
      autogen: lastOf(items, 'autogen'),
      ready: lastOf(items, 'ready'),
      rulecount: ruleCounts(items),
      conditions: mergeConditions(items),
    });
  },
};

/** Where a member counts its rules, it has to count all four sorts. */
function ruleCounts(items: readonly AggregatedStatusItem[]): Record<string, number> {
  const total = { validate: 0, generate: 0, mutate: 0, verifyimages: 0 };
  for (const { clusterName, status } of reporting(items)) {
    const counts = fieldAt(status, 'rulecount');
    if (counts === undefined) continue;
    for (const name of RULE_COUNTS) {
      const count = fieldAt(counts, name);
      if (typeof count !== 'number')
        throw new InterpretError(`rulecount of ${clusterName} has no ${name}`);
      total[name] += count;
    }
  }
  return total;
}
