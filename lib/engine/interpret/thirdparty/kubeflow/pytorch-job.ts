import { listAt, textAt } from '../../field.js';
import { reporting } from '../../aggregate/counters.js';
import type { Interpreter } from '../../interpreter.js';
import { isConditionTrue } from '../pattern/conditions.js';
import type { TrainingSummary } from './training-job.js';
import { trainingJob } from './training-job.js';

export const pytorchJob: Interpreter = trainingJob('PyTorchJob', {
  field: 'pytorchReplicaSpecs',
  roles: ['Master', 'Worker'],
  conditions: conditionsOf,
});

/** Created, Running, and the outcome; dated by the times of the job. */
function conditionsOf(summary: TrainingSummary): readonly unknown[] {
  const { failed, hasSucceeded, items, startTime, completionTime } = summary;
  const conditions: unknown[] = [];
  if (items.some(({ status }) => isConditionTrue(status, 'Created'))) {
    conditions.push(condition('Created', 'True', 'PyTorchJob is created.', startTime));
  }
  const running = reporting(items)
    .flatMap(({ status }) => listAt(status, 'conditions'))
    .findLast((c) => textAt(c, 'type') === 'Running');
  if (running !== undefined) {
    const status = failed.length > 0 || hasSucceeded ? 'False' : 'True';
    conditions.push({
      ...condition('Running', status, 'PyTorchJob is running.', ''),
      lastTransitionTime: textAt(running, 'lastTransitionTime'),
      lastUpdateTime: textAt(running, 'lastUpdateTime'),
    });
  }
  if (failed.length > 0) {
    const message = `PyTorchJob executed failed in member clusters: ${failed.join(', ')}`;
    conditions.push(condition('Failed', 'True', message, completionTime));
  } else if (hasSucceeded) {
    conditions.push(
      condition('Succeeded', 'True', 'PyTorchJob is successfully completed.', completionTime),
    );
  }
  return conditions;
}

function condition(
  type: string,
  status: string,
  message: string,
  time: string,
): Record<string, string> {
  return {
    type,
    status,
    reason: `PyTorchJob${type}`,
    message,
    lastTransitionTime: time,
    lastUpdateTime: time,
  };
}
