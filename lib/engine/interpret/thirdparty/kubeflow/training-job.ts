import type { KubeObject } from '../../../../api/object.js';
import type { Component } from '../../../../api/resource-binding.js';
import { countAt, fieldAt, fieldsOf, listAt, objectAt, textAt } from '../../field.js';
import { earliest, latest } from '../../aggregate/time.js';
import { reporting } from '../../aggregate/counters.js';
import type { AggregatedStatusItem, DependentReference, Interpreter } from '../../interpreter.js';
import { withoutZeros } from '../pattern/answer.js';
import { isConditionTrue } from '../pattern/conditions.js';
import { numberOf } from '../pattern/number.js';
import { componentOf, referencesOf } from '../pattern/pod-template.js';
import { withStatus } from '../pattern/status.js';

/** What PyTorchJob and TFJob have in common; they differ in roles and in how conditions are made. */
export interface TrainingJob {
  /** Field below `spec` that holds the roles. */
  readonly field: string;
  readonly roles: readonly string[];
  readonly conditions: (summary: TrainingSummary, now: string) => readonly unknown[];
}

/** The members' outcome in short. */
export interface TrainingSummary {
  readonly items: readonly AggregatedStatusItem[];
  /** Clusters whose job failed, in their order. */
  readonly failed: readonly string[];
  readonly hasSucceeded: boolean;
  readonly startTime: string;
  readonly completionTime: string;
}

export function trainingJob(kind: string, job: TrainingJob): Interpreter {
  return {
    kinds: [{ apiVersion: 'kubeflow.org/v1', kind }],
    interpretComponent: (object) => componentsOf(object, job),
    interpretDependency: (object): readonly DependentReference[] =>
      referencesOf(
        object,
        ...job.roles.map((role) => fieldAt(object, 'spec', job.field, role, 'template')),
      ),
    interpretHealth: (object) =>
      fieldAt(object, 'status', 'conditions') !== undefined &&
      !isConditionTrue(fieldAt(object, 'status'), 'Failed'),
    aggregateStatus: (template, items = [], now = '') =>
      withStatus(template, statusOf(template, items, job, now)),
  };
}

/** Roles that the job has, in lower case. */
function componentsOf(object: KubeObject, { field, roles }: TrainingJob): readonly Component[] {
  return roles.flatMap((role) => {
    const spec = fieldAt(object, 'spec', field, role);
    if (spec === undefined) return [];
    const replicas = numberOf(fieldAt(spec, 'replicas'), 1);
    return [componentOf(role.toLowerCase(), replicas, fieldAt(spec, 'template'))];
  });
}

function statusOf(
  template: KubeObject,
  items: readonly AggregatedStatusItem[],
  job: TrainingJob,
  now: string,
): Record<string, unknown> {
  const old = objectAt(template, 'status') ?? {};
  if (items.length === 0) {
    const cleared = {
      startTime: {},
      completionTime: {},
      lastReconcileTime: {},
      replicaStatuses: {},
      conditions: [],
    };
    return { ...old, ...cleared };
  }
  const times = (field: string): readonly string[] =>
    reporting(items).map(({ status }) => textAt(status, field));
  const outcomes = items.map(outcomeOf);
  const summary: TrainingSummary = {
    items,
    failed: items.filter((_, i) => outcomes[i] === 'Failed').map(({ clusterName }) => clusterName),
    hasSucceeded: outcomes.every((outcome) => outcome === 'Succeeded'),
    startTime: earliest(times('startTime')) ?? '',
    completionTime: latest(times('completionTime')) ?? '',
  };
  return withoutZeros({
    ...old,
    startTime: summary.startTime,
    completionTime: summary.hasSucceeded ? summary.completionTime : '',
    lastReconcileTime: latest(times('lastReconcileTime')) ?? '',
    replicaStatuses: replicaStatuses(items, job.roles),
    conditions: job.conditions(summary, now),
  });
}

/** The last condition that ends the member's job. */
function outcomeOf({ status }: AggregatedStatusItem): string {
  const ended = listAt(status, 'conditions').findLast(
    (c) => textAt(c, 'status') === 'True' && ['Succeeded', 'Failed'].includes(textAt(c, 'type')),
  );
  return textAt(ended, 'type');
}

function replicaStatuses(
  items: readonly AggregatedStatusItem[],
  roles: readonly string[],
): Record<string, unknown> {
  const total: Record<string, unknown> = {};
  for (const role of roles) {
    const counts = { active: 0, failed: 0, succeeded: 0 };
    for (const { status } of reporting(items)) {
      const reported = fieldsOf(fieldAt(status, 'replicaStatuses', role));
      for (const name of ['active', 'failed', 'succeeded'] as const)
        counts[name] += countAt(reported, name);
    }
    total[role] = counts;
  }
  return total;
}
