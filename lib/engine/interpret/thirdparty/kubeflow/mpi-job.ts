import { countAt, fieldAt, fieldsOf, listAt, textAt } from '../../field.js';
import { pickFields, reporting } from '../../aggregate/counters.js';
import { earliest, latest } from '../../aggregate/time.js';
import type { AggregatedStatusItem, Interpreter } from '../../interpreter.js';
import { withoutEmpty } from '../pattern/answer.js';
import { isConditionTrue } from '../pattern/conditions.js';
import { numberOf } from '../pattern/number.js';
import { componentOf } from '../pattern/pod-template.js';
import { soleStatus, withStatus } from '../pattern/status.js';

const COUNTERS = ['active', 'succeeded', 'failed'] as const;

export const mpiJob: Interpreter = {
  kinds: [{ apiVersion: 'kubeflow.org/v2beta1', kind: 'MPIJob' }],

  /** Workers default to none, every other role to one. */
  interpretComponent(object) {
    return Object.entries(fieldsOf(fieldAt(object, 'spec', 'mpiReplicaSpecs')))
      .filter(([, spec]) => fieldAt(spec, 'template') !== undefined)
      .map(([role, spec]) => {
        const fallback = role.toLowerCase() === 'worker' ? 0 : 1;
        return componentOf(
          role,
          numberOf(fieldAt(spec, 'replicas'), fallback),
          fieldAt(spec, 'template'),
        );
      });
  },

  interpretHealth(object) {
    const status = fieldAt(object, 'status');
    return listAt(status, 'conditions').length > 0 && !isConditionTrue(status, 'Failed');
  },

  interpretStatus(object) {
    const status = fieldAt(object, 'status');
    const roles = Object.entries(fieldsOf(fieldAt(status, 'replicaStatuses'))).map(
      ([role, counts]) => [role, pickFields(counts, [...COUNTERS, 'selector'])] as const,
    );
    return withoutEmpty({
      ...pickFields(status, ['conditions', 'startTime', 'completionTime', 'lastReconcileTime']),
      replicaStatuses: Object.fromEntries(roles),
    });
  },

  aggregateStatus(template, items) {
    if (items === undefined || items.length === 0) return withoutEmpty(template);
    const times = (field: string): readonly string[] =>
      reporting(items).map(({ status }) => textAt(status, field));
    return (
      soleStatus(template, items) ??
      withStatus(template, {
        replicaStatuses: replicaStatuses(items),
        conditions: newestConditions(items),
        startTime: earliest(times('startTime')),
        completionTime: latest(times('completionTime')),
        lastReconcileTime: latest(times('lastReconcileTime')),
      })
    );
  },
};

function replicaStatuses(items: readonly AggregatedStatusItem[]): Record<string, unknown> {
  const total: Record<string, Record<(typeof COUNTERS)[number], number>> = {};
  for (const { status } of reporting(items)) {
    for (const [role, counts] of Object.entries(fieldsOf(fieldAt(status, 'replicaStatuses')))) {
      const sum = (total[role] ??= { active: 0, succeeded: 0, failed: 0 });
      for (const name of COUNTERS) sum[name] += countAt(counts, name);
    }
  }
  return total;
}

/** Per type the one that was updated last. */
function newestConditions(items: readonly AggregatedStatusItem[]): readonly unknown[] {
  const timeOf = (condition: unknown): string =>
    textAt(condition, 'lastUpdateTime') || textAt(condition, 'lastTransitionTime');
  const newest = new Map<string, unknown>();
  for (const { status } of reporting(items)) {
    for (const condition of listAt(status, 'conditions')) {
      const known = newest.get(textAt(condition, 'type'));
      if (known === undefined || timeOf(condition) > timeOf(known))
        newest.set(textAt(condition, 'type'), condition);
    }
  }
  return [...newest.values()];
}
