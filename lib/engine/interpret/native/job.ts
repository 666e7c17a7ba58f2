import type { KubeObject } from '../../../api/object.js';
import { pickFields, reportCounters, reporting, sumCounters } from '../aggregate/counters.js';
import { earliest, latest } from '../aggregate/time.js';
import { fieldAt, listAt, objectAt, textAt, withField } from '../field.js';
import type { AggregatedStatusItem, Interpreter } from '../interpreter.js';
import {
  revise,
  templateReferences,
  templateRequirements,
  wholeNumberAt,
} from '../pod/workload.js';

const COUNTERS = ['active', 'succeeded', 'failed'] as const;

export const job: Interpreter = {
  kinds: [{ apiVersion: 'batch/v1', kind: 'Job' }],
  reviseReplica: revise('parallelism'),
  interpretDependency: templateReferences,

  /** As many pods as can run at once: parallelism, but never more than completions are wanted. */
  interpretReplica(object) {
    const parallelism = wholeNumberAt(object, 'parallelism') ?? 0;
    const completions = wholeNumberAt(object, 'completions') ?? parallelism;
    return { replicas: Math.min(parallelism, completions), ...templateRequirements(object) };
  },

  /** The selector and labels that the Job controller of the cluster added. */
  retain(desired, observed) {
    const matchLabels = objectAt(observed, 'spec', 'selector', 'matchLabels');
    const labels = objectAt(observed, 'spec', 'template', 'metadata', 'labels');
    const selecting =
      matchLabels === undefined
        ? desired
        : withField(desired, ['spec', 'selector', 'matchLabels'], matchLabels);
    return labels === undefined
      ? selecting
      : withField(selecting, ['spec', 'template', 'metadata', 'labels'], labels);
  },

  interpretStatus(object) {
    const status = fieldAt(object, 'status');
    if (status === undefined) return undefined;
    return {
      ...reportCounters(status, COUNTERS, new Set<string>(COUNTERS)),
      ...pickFields(status, ['conditions', 'startTime', 'completionTime']),
    };
  },

  aggregateStatus(object, items, now) {
    const ended = ['Complete', 'Failed'].some((type) => isTrue(fieldAt(object, 'status'), type));
    if (ended) return object;
    const sums = Object.entries(sumCounters(items, COUNTERS)).filter(([, count]) => count !== 0);
    const conditions = conditionsOf(items ?? [], now);
    const status = {
      ...Object.fromEntries(sums),
      ...(conditions.length > 0 && { conditions }),
      ...timesOf(object, items ?? []),
    };
    return { ...object, status };
  },
};

function isTrue(status: unknown, type: string): boolean {
  return listAt(status, 'conditions').some(
    (c) => textAt(c, 'type') === type && textAt(c, 'status') === 'True',
  );
}

/** The first condition that ends a Job decides. */
function outcomeOf(status: unknown): string {
  const ends = listAt(status, 'conditions').find(
    (c) => textAt(c, 'status') === 'True' && ['Complete', 'Failed'].includes(textAt(c, 'type')),
  );
  return textAt(ends, 'type');
}

function conditionsOf(
  items: readonly AggregatedStatusItem[],
  now: string | undefined,
): readonly unknown[] {
  const failed = reporting(items).filter(({ status }) => outcomeOf(status) === 'Failed');
  const completed = reporting(items).filter(({ status }) => outcomeOf(status) === 'Complete');
  const condition = (type: string, reason: string, message: string): unknown => ({
    type,
    status: 'True',
    ...(now !== undefined && { lastProbeTime: now, lastTransitionTime: now }),
    reason,
    message,
  });

  const conditions: unknown[] = [];
  if (failed.length > 0) {
    const clusters = failed.map(({ clusterName }) => clusterName).join(',');
    conditions.push(
      condition('Failed', 'JobFailed', `Job executed failed in member clusters ${clusters}`),
    );
  }
  if (items.length === 0 || completed.length < items.length) return conditions;

  conditions.push(condition('Complete', 'Completed', 'Job completed'));
  if (completed.every(({ status }) => isTrue(status, 'SuccessCriteriaMet'))) {
    const message = 'All member clusters have met success criteria';
    conditions.push(condition('SuccessCriteriaMet', 'CompletionsReached', message));
  }
  return conditions;
}

/** Start and end count only once every cluster has one. */
function timesOf(
  object: KubeObject,
  items: readonly AggregatedStatusItem[],
): Record<string, string> {
  const all = (field: string): readonly string[] => {
    const times = items.map(({ status }) => textAt(status, field)).filter((time) => time !== '');
    return times.length === items.length ? times : [];
  };
  const startTime = textAt(object, 'status', 'startTime') || earliest(all('startTime'));
  const completionTime = latest(all('completionTime'));
  return { ...(startTime && { startTime }), ...(completionTime && { completionTime }) };
}
