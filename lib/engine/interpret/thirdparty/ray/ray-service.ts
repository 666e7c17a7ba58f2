import type { ReplicaRequirements } from '../../../../api/resource-binding.js';
import { countAt, fieldAt, fieldsOf, listAt, textAt, withField } from '../../field.js';
import { latest } from '../../aggregate/time.js';
import { reporting } from '../../aggregate/counters.js';
import type { AggregatedStatusItem, Interpreter } from '../../interpreter.js';
import { podRequirements } from '../../pod/requirements.js';
import { withoutEmpty } from '../pattern/answer.js';
import { isConditionTrue } from '../pattern/conditions.js';
import { unitsOf } from '../pattern/quantity.js';
import { soleStatus, sums, withStatus } from '../pattern/status.js';
import { allConditions, clusterReferences, firstOf, withoutSpec } from './cluster-spec.js';
import { divideWorkers } from './divide-workers.js';

const GROUPS = ['spec', 'rayClusterConfig', 'workerGroupSpecs'] as const;

/** Worst last. */
const APPLICATION_STATUS = [
  'RUNNING',
  'NOT_STARTED',
  'DEPLOYING',
  'DELETING',
  'UNHEALTHY',
  'DEPLOY_FAILED',
];

export const rayService: Interpreter = {
  kinds: [{ apiVersion: 'ray.io/v1', kind: 'RayService' }],
  interpretHealth: (object) => isConditionTrue(fieldAt(object, 'status'), 'Ready'),
  interpretDependency: (object) =>
    clusterReferences(object, fieldAt(object, 'spec', 'rayClusterConfig')),

  /** The head and all workers; each is taken for as large as the largest. */
  interpretReplica(object) {
    const head = fieldAt(object, 'spec', 'rayClusterConfig', 'headGroupSpec', 'template');
    if (head === undefined) return { replicas: 0 };
    const groups = listAt(object, ...GROUPS);
    const workers = groups.reduce<number>((sum, group) => sum + countAt(group, 'replicas'), 0);
    const requirements = largestRequirements([
      head,
      ...groups.map((group) => fieldAt(group, 'template')),
    ]);
    return { replicas: 1 + workers, ...(requirements !== undefined && { requirements }) };
  },

  reviseReplica(object, replicas) {
    const groups = listAt(object, ...GROUPS);
    if (groups.length === 0) return object;
    const counts = divideWorkers(
      Math.max(0, replicas - 1),
      groups.map((group) => countAt(group, 'replicas')),
    );
    return withField(
      object,
      GROUPS,
      groups.map((group, i) => ({ ...fieldsOf(group), replicas: counts[i] })),
    );
  },

  aggregateStatus(template, items) {
    if (items === undefined) return withoutEmpty(template);
    const bare = withoutSpec(template);
    return soleStatus(bare, items) ?? withStatus(bare, serviceStatus(items));
  },
};

/** The head's requirements with the most cpu and memory of any. */
function largestRequirements(templates: readonly unknown[]): ReplicaRequirements | undefined {
  const [head, ...groups] = templates.map((template) => podRequirements(fieldAt(template, 'spec')));
  const resourceRequest: Record<string, unknown> = { ...head?.resourceRequest };
  for (const resource of ['cpu', 'memory']) {
    for (const group of groups) {
      const asked = group?.resourceRequest?.[resource];
      if (asked !== undefined && unitsOf(asked) > unitsOf(resourceRequest[resource]))
        resourceRequest[resource] = asked;
    }
  }
  const requirements = withoutEmpty({ ...head, resourceRequest });
  return Object.keys(requirements).length === 0 ? undefined : (requirements as ReplicaRequirements);
}

function serviceStatus(items: readonly AggregatedStatusItem[]): Record<string, unknown> {
  const statuses = reporting(items).map(({ status }) => status);
  return {
    conditions: allConditions(items),
    ...sums(items, ['numServeEndpoints']),
    lastUpdateTime: latest(statuses.map((status) => textAt(status, 'lastUpdateTime'))),
    observedGeneration: Math.max(
      0,
      ...statuses.map((status) => countAt(status, 'observedGeneration')),
    ),
    serviceStatus: statuses.some((status) => fieldAt(status, 'serviceStatus') === '')
      ? ''
      : 'Running',
    activeServiceStatus: activeStatus(items),
    pendingServiceStatus: firstOf(items, 'pendingServiceStatus'),
  };
}

/** The first member's, with each application in the worst state that it has anywhere. */
function activeStatus(items: readonly AggregatedStatusItem[]): unknown {
  const first = firstOf(items, 'activeServiceStatus');
  if (first === undefined) return undefined;
  const worst: Record<string, unknown> = {};
  for (const { status } of reporting(items)) {
    for (const [name, application] of applicationsOf(status)) {
      const known = worst[name];
      if (known === undefined || rankOf(application) > rankOf(known)) worst[name] = application;
    }
  }
  return { ...fieldsOf(first), applicationStatuses: worst };
}

function applicationsOf(status: unknown): readonly [string, unknown][] {
  return Object.entries(fieldsOf(fieldAt(status, 'activeServiceStatus', 'applicationStatuses')));
}

function rankOf(application: unknown): number {
  return APPLICATION_STATUS.indexOf(textAt(application, 'status'));
}
