import { fieldAt, fieldsOf, textAt } from '../../field.js';
import type { AggregatedStatusItem, Interpreter } from '../../interpreter.js';
import { withoutEmpty } from '../pattern/answer.js';
import { replicasOf } from '../pattern/pod-template.js';
import { soleStatus, sums, withStatus } from '../pattern/status.js';

export const notebook: Interpreter = {
  kinds: [{ apiVersion: 'kubeflow.org/v1', kind: 'Notebook' }],
  interpretReplica: (object) => replicasOf(1, fieldAt(object, 'spec', 'template')),

  interpretStatus(object) {
    const status = fieldAt(object, 'status');
    if (status === undefined) return {};
    return withoutEmpty({
      readyReplicas: fieldAt(status, 'readyReplicas') ?? 0,
      containerState: fieldAt(status, 'containerState'),
      conditions: fieldAt(status, 'conditions'),
    });
  },

  interpretHealth(object) {
    const state = fieldAt(object, 'status', 'containerState');
    if (fieldAt(state, 'running') !== undefined) return true;
    if (fieldAt(state, 'waiting') !== undefined)
      return textAt(state, 'waiting', 'reason') === 'ContainerCreating';
    const terminated = fieldAt(state, 'terminated');
    if (terminated === undefined) return false;
    const isBad = ['Error', 'OOMKilled', 'ContainerCannotRun'].includes(
      textAt(terminated, 'reason'),
    );
    return !isBad && (fieldAt(terminated, 'exitCode') ?? 0) === 0;
  },

  aggregateStatus(template, items, now = '') {
    if (items === undefined) return withoutEmpty(template);
    return (
      soleStatus(template, items) ??
      withStatus(template, {
        ...sums(items, ['readyReplicas']),
        containerState: containerStateOf(items),
        conditions: conditionsOf(items, now),
      })
    );
  },
};

function stateOf({ status }: AggregatedStatusItem): unknown {
  return fieldAt(status, 'containerState');
}

/** Nothing, waiting and terminated all count as failed. */
function hasFailed(item: AggregatedStatusItem): boolean {
  const state = fieldsOf(stateOf(item));
  return Object.keys(state).length === 0 || 'waiting' in state || 'terminated' in state;
}

/** The last failed one's; else running since the latest start. */
function containerStateOf(items: readonly AggregatedStatusItem[]): unknown {
  const failed = items.findLast(hasFailed);
  if (failed !== undefined) {
    const state = fieldsOf(stateOf(failed));
    return Object.keys(state).length === 0 ? { waiting: { reason: 'Unschedulable' } } : state;
  }
  const started = items.map((item) => textAt(stateOf(item), 'running', 'startedAt')).sort();
  const startedAt = started.at(-1);
  return startedAt === undefined || startedAt === '' ? {} : { running: { startedAt } };
}

function conditionsOf(items: readonly AggregatedStatusItem[], now: string): readonly unknown[] {
  const times = { lastProbeTime: now, lastTransitionTime: now };
  const failed = items.filter(hasFailed).map(({ clusterName }) => clusterName);
  if (failed.length > 0) {
    const message = `Notebook executed failed in member clusters: ${failed.join(', ')}`;
    return [{ type: 'Failed', status: 'True', reason: 'NotebookFailed', message, ...times }];
  }
  if (items.length === 0) return [];
  return [
    {
      type: 'Ready',
      status: 'True',
      reason: 'Ready',
      message: 'All notebooks are ready',
      ...times,
    },
  ];
}
