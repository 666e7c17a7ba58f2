import { countAt, fieldAt, fieldsOf, listAt, textAt } from '../../field.js';
import { reporting } from '../../aggregate/counters.js';
import type { AggregatedStatusItem, Interpreter } from '../../interpreter.js';
import { withoutEmpty, withoutZeros } from '../pattern/answer.js';
import { componentOf } from '../pattern/pod-template.js';
import { reflect, soleStatus, sums, withStatus } from '../pattern/status.js';

const COUNTERS = [
  'minAvailable',
  'pending',
  'running',
  'succeeded',
  'failed',
  'terminating',
  'unknown',
];
const ENDED_BADLY = ['Failed', 'Aborted', 'Aborting', 'Terminated', 'Terminating'];
const HEALTHY_PHASES = [
  'Running',
  'Completed',
  'Pending',
  'Aborting',
  'Aborted',
  'Restarting',
  'Completing',
  'Terminating',
  'Terminated',
];

export const volcanoJob: Interpreter = {
  kinds: [{ apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job' }],

  /** Karmada counts the pods that a task needs at least, not those that it asks for. */
  interpretComponent(object) {
    return listAt(object, 'spec', 'tasks').map((task, position) =>
      componentOf(
        textAt(task, 'name') || `task-${position}`,
        (fieldAt(task, 'minAvailable') as number | undefined) ?? 1,
        fieldAt(task, 'template'),
      ),
    );
  },

  interpretHealth: (object) => HEALTHY_PHASES.includes(textAt(object, 'status', 'state', 'phase')),

  interpretStatus: reflect(
    ...COUNTERS,
    'version',
    'retryCount',
    'runningDuration',
    'taskStatusCount',
    'controlledResources',
    'state',
    'conditions',
  ),

  aggregateStatus(template, items, now = '') {
    if (items === undefined) return withoutEmpty(template);
    return (
      soleStatus(template, items) ??
      withStatus(
        template,
        withoutZeros({
          ...sums(items, [...COUNTERS, 'retryCount']),
          version: Math.max(0, ...reporting(items).map(({ status }) => countAt(status, 'version'))),
          runningDuration: longestDuration(items),
          taskStatusCount: taskCounts(items),
          controlledResources: Object.assign(
            {},
            ...reporting(items).map(({ status }) =>
              fieldsOf(fieldAt(status, 'controlledResources')),
            ),
          ) as object,
          state: stateOf(items, now),
          conditions: conditionsOf(items),
        }),
      )
    );
  },
};

function longestDuration(items: readonly AggregatedStatusItem[]): string {
  let longest = '';
  for (const { status } of reporting(items)) {
    const text = textAt(status, 'runningDuration');
    if (secondsOf(text) > secondsOf(longest)) longest = text;
  }
  return longest;
}

/** Seconds of a duration of hours, minutes and seconds, e.g. `1h2m3.5s`. */
function secondsOf(duration: string): number {
  const amount = (unit: string): number =>
    Number(new RegExp(`(\\d+(?:\\.\\d+)?)${unit}`).exec(duration)?.[1] ?? 0);
  return amount('h') * 3600 + amount('m') * 60 + amount('s');
}

/** Pods per task and phase. */
function taskCounts(
  items: readonly AggregatedStatusItem[],
): Record<string, { phase: Record<string, number> }> {
  const tasks: Record<string, { phase: Record<string, number> }> = {};
  for (const { status } of reporting(items)) {
    for (const [task, count] of Object.entries(fieldsOf(fieldAt(status, 'taskStatusCount')))) {
      const { phase } = (tasks[task] ??= { phase: {} });
      for (const [name, pods] of Object.entries(fieldsOf(fieldAt(count, 'phase')))) {
        phase[name] = (phase[name] ?? 0) + Number(pods);
      }
    }
  }
  return tasks;
}

function stateOf(items: readonly AggregatedStatusItem[], now: string): object {
  const phaseOf = ({ status }: AggregatedStatusItem): string => textAt(status, 'state', 'phase');
  const failed = items.filter((item) => ['Failed', 'Aborted'].includes(phaseOf(item)));
  if (failed.length > 0) {
    const clusters = failed.map(({ clusterName }) => clusterName).join(',');
    const message = `Job failed in clusters: ${clusters}`;
    return { phase: 'Failed', reason: 'VolcanoJobFailed', message, lastTransitionTime: now };
  }
  if (items.length === 0 || items.some((item) => phaseOf(item) !== 'Completed')) return {};
  const message = 'Job completed successfully';
  return { phase: 'Completed', reason: 'Completed', message, lastTransitionTime: now };
}

/** All conditions of the first member that ended badly; else the newest of each status. */
function conditionsOf(items: readonly AggregatedStatusItem[]): readonly unknown[] {
  const lists = reporting(items).map(({ status }) => listAt(status, 'conditions'));
  const bad = lists.find((list) =>
    list.some((condition) => ENDED_BADLY.includes(textAt(condition, 'status'))),
  );
  if (bad !== undefined) return bad;
  const newest = new Map<string, unknown>();
  for (const condition of lists.flat()) {
    const status = textAt(condition, 'status');
    const known = newest.get(status);
    const isNewer = textAt(condition, 'lastTransitionTime') > textAt(known, 'lastTransitionTime');
    if (known === undefined || isNewer) newest.set(status, condition);
  }
  return [...newest.values()];
}
