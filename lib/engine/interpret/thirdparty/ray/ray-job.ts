import { fieldAt, textAt } from '../../field.js';
import { reporting } from '../../aggregate/counters.js';
import type { AggregatedStatusItem, Interpreter } from '../../interpreter.js';
import { withoutEmpty } from '../pattern/answer.js';
import { soleStatus, withStatus } from '../pattern/status.js';
import { clusterComponents, clusterReferences, withoutSpec } from './cluster-spec.js';

/** Highest wins: a complete job counts for more than a running one, a failed one for most. */
const DEPLOYMENT: Readonly<Record<string, number>> = {
  Initializing: 1,
  Waiting: 2,
  Suspending: 3,
  Suspended: 3,
  Retrying: 4,
  Running: 5,
  Complete: 6,
  ValidationFailed: 7,
  Failed: 8,
};
const JOB: Readonly<Record<string, number>> = {
  PENDING: 1,
  RUNNING: 2,
  SUCCEEDED: 3,
  STOPPED: 4,
  FAILED: 5,
};

export const rayJob: Interpreter = {
  kinds: [{ apiVersion: 'ray.io/v1', kind: 'RayJob' }],
  interpretComponent: (object) => clusterComponents(fieldAt(object, 'spec', 'rayClusterSpec')),
  interpretDependency: (object) =>
    clusterReferences(
      object,
      fieldAt(object, 'spec', 'rayClusterSpec'),
      fieldAt(object, 'spec', 'submitterPodTemplate'),
    ),

  interpretHealth(object) {
    const status = textAt(object, 'status', 'jobDeploymentStatus');
    return (
      status === 'Running' ||
      (status === 'Complete' && textAt(object, 'status', 'jobStatus') === 'SUCCEEDED')
    );
  },

  aggregateStatus(template, items) {
    if (items === undefined) return withoutEmpty(template);
    const bare = withoutSpec(template);
    const deployment = leading(items, 'jobDeploymentStatus', DEPLOYMENT);
    const job = leading(items, 'jobStatus', JOB);
    return (
      soleStatus(bare, items) ??
      withStatus(bare, {
        jobDeploymentStatus: fieldAt(deployment, 'jobDeploymentStatus'),
        reason: fieldAt(deployment, 'reason'),
        message: fieldAt(deployment, 'message'),
        jobStatus: fieldAt(job, 'jobStatus'),
      })
    );
  },
};

/** The status whose field has the highest priority, the first of equals; those without one do not count. */
function leading(
  items: readonly AggregatedStatusItem[],
  field: string,
  priorities: Readonly<Record<string, number>>,
): unknown {
  let best: { readonly priority: number; readonly status: unknown } = {
    priority: -1,
    status: undefined,
  };
  for (const { status } of reporting(items)) {
    const text = textAt(status, field);
    const priority = Object.hasOwn(priorities, text) ? (priorities[text] ?? 0) : 0;
    if (text !== '' && priority > best.priority) best = { priority, status };
  }
  return best.status;
}
