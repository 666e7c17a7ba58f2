import type { Interpreter } from '../../interpreter.js';
import type { TrainingSummary } from './training-job.js';
import { trainingJob } from './training-job.js';

export const tfJob: Interpreter = trainingJob('TFJob', {
  field: 'tfReplicaSpecs',
  roles: ['PS', 'Worker', 'Chief', 'Master', 'Evaluator'],
  conditions: conditionsOf,
});

function conditionsOf({ failed, hasSucceeded }: TrainingSummary, now: string): readonly unknown[] {
  const times = { lastProbeTime: now, lastTransitionTime: now };
  const conditions: unknown[] = [];
  if (failed.length > 0) {
    const message = `TFJob executed failed in member clusters: ${failed.join(', ')}`;
    conditions.push({ type: 'Failed', status: 'True', reason: 'TFJobFailed', message, ...times });
  }
  if (hasSucceeded) {
    const message = 'TFJob completed successfully';
    conditions.push({ type: 'Succeeded', status: 'True', reason: 'Completed', message, ...times });
  }
  return conditions;
}
