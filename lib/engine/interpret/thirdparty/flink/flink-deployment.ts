import type { KubeObject } from '../../../../api/object.js';
import type { Component, ReplicaRequirements } from '../../../../api/resource-binding.js';
import { fieldAt, listAt, objectAt, textAt } from '../../field.js';
import { reporting } from '../../aggregate/counters.js';
import type { Interpreter } from '../../interpreter.js';
import { withoutEmpty } from '../pattern/answer.js';
import { numberOf } from '../pattern/number.js';
import { unitsOf } from '../pattern/quantity.js';
import { reflect, withStatus } from '../pattern/status.js';

const FIELDS = [
  'clusterInfo',
  'error',
  'jobManagerDeploymentStatus',
  'jobStatus',
  'observedGeneration',
  'lifecycleState',
  'reconciliationStatus',
  'taskManager',
];

/** States in which the operator is at work or done, well or badly. */
const SETTLED = [
  'RUNNING',
  'FINISHED',
  'FAILED',
  'CANCELED',
  'SUSPENDED',
  'CANCELLING',
  'FAILING',
  'RESTARTING',
];
const STARTING = ['CREATED', 'INITIALIZING', 'RECONCILING'];
const PERMANENT_ERRORS = ['ErrImagePull', 'ImagePullBackOff', 'CrashLoopBackOff'];

export const flinkDeployment: Interpreter = {
  kinds: [{ apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkDeployment' }],
  interpretStatus: reflect(...FIELDS),

  interpretReplica(object) {
    const { jobManagers, taskManagers } = countsOf(object);
    const resourceRequest = { ...largest(object, 'cpu'), ...largest(object, 'memory') };
    const namespace = textAt(object, 'metadata', 'namespace');
    return {
      replicas: jobManagers + taskManagers,
      requirements: withoutEmpty({
        resourceRequest,
        ...podClaim(object),
        namespace,
      }) as ReplicaRequirements,
    };
  },

  interpretComponent(object) {
    const { jobManagers, taskManagers } = countsOf(object);
    return [
      component(object, 'jobManager', jobManagers),
      component(object, 'taskManager', taskManagers),
    ];
  },

  interpretHealth(object) {
    const status = fieldAt(object, 'status');
    const state = textAt(status, 'jobStatus', 'state');
    if (state === '') {
      return (
        textAt(status, 'jobManagerDeploymentStatus') === 'READY' &&
        textAt(status, 'lifecycleState') === 'STABLE'
      );
    }
    if (STARTING.includes(state))
      return PERMANENT_ERRORS.some((error) => textAt(status, 'error').includes(error));
    return SETTLED.includes(state);
  },

  /** The last member that reports anything speaks for all. */
  aggregateStatus(template, items) {
    if (items === undefined) return withoutEmpty(template);
    const last = reporting(items).at(-1)?.status;
    const reported =
      last === undefined
        ? EMPTY_STATUS
        : Object.fromEntries(FIELDS.map((name) => [name, fieldAt(last, name)]));
    return withStatus(template, { ...objectAt(template, 'status'), ...reported });
  },
};

const EMPTY_STATUS = {
  clusterInfo: {},
  error: '',
  jobManagerDeploymentStatus: '',
  jobStatus: {},
  observedGeneration: 0,
  lifecycleState: '',
  reconciliationStatus: {},
  taskManager: {},
};

/** Task managers: as many as asked for, else enough slots for the parallelism, else one. */
function countsOf(object: KubeObject): {
  readonly jobManagers: number;
  readonly taskManagers: number;
} {
  const asked = fieldAt(object, 'spec', 'taskManager', 'replicas');
  const parallelism = fieldAt(object, 'spec', 'job', 'parallelism');
  const slots = numberOf(
    fieldAt(object, 'spec', 'flinkConfiguration', 'taskmanager.numberOfTaskSlots'),
    0,
  );
  const computed =
    typeof parallelism === 'number' && slots > 0 ? Math.ceil(parallelism / slots) : 1;
  return {
    jobManagers: numberOf(fieldAt(object, 'spec', 'jobManager', 'replicas'), 1),
    taskManagers: typeof asked === 'number' ? asked : computed,
  };
}

/** The larger of what the two roles ask, as it was written; the task manager's when they are equal. */
function largest(object: KubeObject, resource: 'cpu' | 'memory'): Record<string, string> {
  const job = fieldAt(object, 'spec', 'jobManager', 'resource', resource);
  const task = fieldAt(object, 'spec', 'taskManager', 'resource', resource);
  const winner = unitsOf(job) > unitsOf(task) ? job : (task ?? job);
  return winner === undefined ? {} : { [resource]: String(winner as string | number) };
}

/** Memory becomes a number of bytes: `2048m` is read as a Kubernetes quantity, which is next to nothing. */
function component(
  object: KubeObject,
  role: 'jobManager' | 'taskManager',
  replicas: number,
): Component {
  const cpu = fieldAt(object, 'spec', role, 'resource', 'cpu');
  const memory = fieldAt(object, 'spec', role, 'resource', 'memory');
  const resourceRequest = {
    ...(cpu !== undefined && { cpu: String(cpu as string | number) }),
    ...(memory !== undefined && { memory: String(unitsOf(memory)) }),
  };
  const replicaRequirements = withoutEmpty({ resourceRequest, ...podClaim(object) });
  return { name: role.toLowerCase(), replicas, replicaRequirements } as Component;
}

/** Where the pods may run, from the template that both roles share. */
function podClaim(object: KubeObject): Record<string, unknown> {
  const podSpec = fieldAt(object, 'spec', 'podTemplate', 'spec');
  return {
    nodeClaim: {
      nodeSelector: objectAt(podSpec, 'nodeSelector') ?? {},
      tolerations: listAt(podSpec, 'tolerations'),
    },
    ...(textAt(podSpec, 'priorityClassName') !== '' && {
      priorityClassName: textAt(podSpec, 'priorityClassName'),
    }),
  };
}
