import type { KubeObject } from '../../../../api/object.js';
import type { Component } from '../../../../api/resource-binding.js';
import { fieldAt, fieldsOf, listAt, objectAt, textAt } from '../../field.js';
import { InterpretError } from '../../interpret-error.js';
import { reporting } from '../../aggregate/counters.js';
import type { AggregatedStatusItem, Interpreter } from '../../interpreter.js';
import { withoutEmpty } from '../pattern/answer.js';
import { numberOf } from '../pattern/number.js';
import { reflect, soleStatus, sums, withStatus } from '../pattern/status.js';
import { requestedMemory } from './memory.js';

/** Worst wins: how much each state says about the whole. */
const PRIORITY: Readonly<Record<string, number>> = {
  '': 0,
  UNKNOWN: 0,
  SUBMITTED: 1,
  PENDING_RERUN: 1,
  COMPLETED: 2,
  SUSPENDING: 3,
  SUSPENDED: 3,
  RUNNING: 4,
  RESUMING: 4,
  SUCCEEDING: 4,
  INVALIDATING: 5,
  FAILING: 6,
  FAILED: 6,
  SUBMISSION_FAILED: 6,
};

export const sparkApplication: Interpreter = {
  kinds: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication' }],

  interpretComponent(object) {
    return [component(object, 'driver', 1), component(object, 'executor', executorsOf(object))];
  },

  interpretHealth(object) {
    const state = fieldAt(object, 'status', 'applicationState', 'state');
    return state !== undefined && state !== 'FAILED';
  },

  interpretStatus: reflect(
    'applicationState',
    'driverInfo',
    'executorState',
    'sparkApplicationId',
    'lastSubmissionAttemptTime',
    'submissionAttempts',
    'executionAttempts',
    'submissionID',
    'terminationTime',
  ),

  aggregateStatus(template, items) {
    if (items === undefined) return withoutEmpty(template);
    const executorState = Object.assign(
      {},
      ...reporting(items).map(({ status }) => fieldsOf(fieldAt(status, 'executorState'))),
    ) as object;
    return (
      soleStatus(template, items) ??
      withStatus(template, {
        applicationState: worstState(items),
        ...sums(items, ['executionAttempts', 'submissionAttempts']),
        lastSubmissionAttemptTime: latestText(items, 'lastSubmissionAttemptTime'),
        terminationTime: latestText(items, 'terminationTime'),
        executorState,
      })
    );
  },
};

/** The first of those with the highest priority. */
function worstState(items: readonly AggregatedStatusItem[]): unknown {
  let worst: { readonly priority: number; readonly state: unknown } = {
    priority: -1,
    state: undefined,
  };
  for (const { clusterName, status } of reporting(items)) {
    const applicationState = fieldAt(status, 'applicationState');
    const name = textAt(applicationState, 'state');
    const priority = Object.hasOwn(PRIORITY, name) ? PRIORITY[name] : undefined;
    if (priority === undefined)
      throw new InterpretError(`state ${name} of ${clusterName} is not known`);
    if (priority > worst.priority) worst = { priority, state: applicationState };
  }
  return worst.state;
}

/** Times in one notation compare as texts. */
function latestText(items: readonly AggregatedStatusItem[], field: string): string {
  return reporting(items).reduce((latest, { status }) => {
    const time = textAt(status, field);
    return time > latest ? time : latest;
  }, '');
}

function executorsOf(object: KubeObject): number {
  const instances = numberOf(fieldAt(object, 'spec', 'executor', 'instances'), 1);
  const dynamic = fieldAt(object, 'spec', 'dynamicAllocation');
  if (fieldAt(dynamic, 'enabled') !== true) return instances;
  return Math.max(
    instances,
    numberOf(fieldAt(dynamic, 'initialExecutors'), 1),
    numberOf(fieldAt(dynamic, 'minExecutors'), 1),
  );
}

function component(object: KubeObject, name: 'driver' | 'executor', replicas: number): Component {
  const role = fieldAt(object, 'spec', name);
  const gpus = numberOf(fieldAt(role, 'gpu', 'quantity'), 0);
  const cores = fieldAt(role, 'cores') ?? 1;
  const affinity = 'requiredDuringSchedulingIgnoredDuringExecution';
  const replicaRequirements = withoutEmpty({
    nodeClaim: {
      hardNodeAffinity: objectAt(role, 'affinity', 'nodeAffinity', affinity) ?? {},
      nodeSelector: objectAt(role, 'nodeSelector') ?? {},
      tolerations: listAt(role, 'tolerations'),
    },
    resourceRequest: {
      cpu: String(cores as string | number),
      memory: requestedMemory(object, role),
      ...(gpus > 0 && { [textAt(role, 'gpu', 'name')]: String(gpus) }),
    },
    ...(textAt(role, 'priorityClassName') !== '' && {
      priorityClassName: textAt(role, 'priorityClassName'),
    }),
  });
  return { name, replicas, replicaRequirements } as unknown as Component;
}
