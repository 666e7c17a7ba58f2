import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../../lib/api/object.js';
import { isWatched, readiness } from '../../../../lib/engine/rollout/readiness/index.js';

type Facts = { generation?: number; spec?: object; status?: object; metadata?: object };

function an(
  apiVersion: string,
  kind: string,
  { generation = 2, spec = {}, status = {}, metadata = {} }: Facts,
): KubeObject {
  return { apiVersion, kind, metadata: { name: 'web', generation, ...metadata }, spec, status };
}

const DEPLOYED = {
  observedGeneration: 2,
  replicas: 3,
  updatedReplicas: 3,
  readyReplicas: 3,
  availableReplicas: 3,
};
const deployment = (status: object, spec: object = {}, metadata: object = {}): KubeObject =>
  an('apps/v1', 'Deployment', {
    spec: { replicas: 3, ...spec },
    status: { ...DEPLOYED, ...status },
    metadata,
  });
const SET = { ...DEPLOYED, currentRevision: 'b', updateRevision: 'b' };
const statefulSet = (status: object, spec: object = {}): KubeObject =>
  an('apps/v1', 'StatefulSet', { spec: { replicas: 3, ...spec }, status: { ...SET, ...status } });
const DAEMON = {
  observedGeneration: 2,
  desiredNumberScheduled: 2,
  updatedNumberScheduled: 2,
  numberAvailable: 2,
  numberReady: 2,
};
const daemonSet = (status: object, spec: object = {}): KubeObject =>
  an('apps/v1', 'DaemonSet', { spec, status: { ...DAEMON, ...status } });
const job = (conditions: object[], spec: object = {}, status: object = {}): KubeObject =>
  an('batch/v1', 'Job', { spec, status: { conditions, ...status } });
const custom = (status: object): KubeObject => an('example.io/v1', 'Widget', { status });
const condition = (type: string, status: string, rest: object = {}): object => ({
  type,
  status,
  ...rest,
});

interface Case {
  readonly name: string;
  readonly object: KubeObject;
  /** `ready`, or the text of what is waited for; with `failed: ` in front when it is hopeless. */
  readonly expected: string;
}

const CASES: readonly Case[] = [
  { name: 'Deployment rolled out', object: deployment({}), expected: 'ready' },
  {
    name: 'Deployment whose newest spec the controller has not seen',
    object: deployment({ observedGeneration: 1 }),
    expected: 'generation 2 to be observed (1 is)',
  },
  {
    name: 'Deployment without status',
    object: an('apps/v1', 'Deployment', {}),
    expected: 'generation 2 to be observed (0 is)',
  },
  {
    name: 'Deployment with old pods making up the number (Healthy to Karmada)',
    object: deployment({ replicas: 4, readyReplicas: 3, availableReplicas: 3 }),
    expected: '1 old replica to go',
  },
  {
    name: 'Deployment with too few new pods',
    object: deployment({ updatedReplicas: 1 }),
    expected: 'replicas of the new revision (1 of 3)',
  },
  {
    name: 'Deployment with a new pod not available',
    object: deployment({ availableReplicas: 2 }),
    expected: 'available replicas (2 of 3)',
  },
  {
    name: 'Deployment that scales in',
    object: deployment({ replicas: 5, updatedReplicas: 5, availableReplicas: 5, readyReplicas: 5 }),
    expected: '2 surplus replicas to go',
  },
  {
    name: 'Deployment scaled to zero',
    object: deployment(
      { replicas: 0, updatedReplicas: 0, availableReplicas: 0, readyReplicas: 0 },
      { replicas: 0 },
    ),
    expected: 'ready',
  },
  {
    name: 'Deployment past its progress deadline',
    object: deployment({
      availableReplicas: 0,
      conditions: [
        condition('Progressing', 'False', {
          reason: 'ProgressDeadlineExceeded',
          message: 'timed out',
        }),
      ],
    }),
    expected: 'failed: ProgressDeadlineExceeded: timed out',
  },
  {
    name: 'Deployment past the deadline of an older generation',
    object: deployment({
      observedGeneration: 1,
      conditions: [condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded' })],
    }),
    expected: 'generation 2 to be observed (1 is)',
  },
  {
    name: 'paused Deployment with old pods',
    object: deployment({ updatedReplicas: 0 }, { paused: true }),
    expected: 'replicas of the new revision (0 of 3); spec.paused is true',
  },
  {
    name: 'Deployment being deleted',
    object: deployment({}, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    expected: 'the old object to be gone (it is being deleted)',
  },
  { name: 'StatefulSet rolled out', object: statefulSet({}), expected: 'ready' },
  {
    name: 'StatefulSet in the middle of an update',
    object: statefulSet({ currentRevision: 'a', updatedReplicas: 1 }),
    expected: 'replicas of the new revision (1 of 3)',
  },
  {
    name: 'StatefulSet with a partition, updated above it',
    object: statefulSet(
      { currentRevision: 'a', updatedReplicas: 1 },
      { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } },
    ),
    expected: 'ready',
  },
  {
    name: 'StatefulSet updated by hand only (OnDelete)',
    object: statefulSet(
      { currentRevision: 'a', updatedReplicas: 0 },
      { updateStrategy: { type: 'OnDelete' } },
    ),
    expected: 'ready',
  },
  {
    name: 'StatefulSet whose counter of updated replicas was reset after completion',
    object: statefulSet({ updatedReplicas: 0 }),
    expected: 'ready',
  },
  { name: 'DaemonSet rolled out', object: daemonSet({}), expected: 'ready' },
  {
    name: 'DaemonSet without nodes',
    object: daemonSet({ desiredNumberScheduled: 0, updatedNumberScheduled: 0 }),
    expected: 'ready',
  },
  {
    name: 'DaemonSet with old pods',
    object: daemonSet({ updatedNumberScheduled: 1 }),
    expected: 'pods of the new revision (1 of 2)',
  },
  {
    name: 'DaemonSet OnDelete with old pods',
    object: daemonSet({ updatedNumberScheduled: 0 }, { updateStrategy: { type: 'OnDelete' } }),
    expected: 'ready',
  },
  { name: 'Job complete', object: job([condition('Complete', 'True')]), expected: 'ready' },
  {
    name: 'Job failed (no health rule in Karmada)',
    object: job([condition('Failed', 'True', { reason: 'BackoffLimitExceeded' })]),
    expected: 'failed: BackoffLimitExceeded',
  },
  {
    name: 'Job at work',
    object: job([], { completions: 4 }, { succeeded: 1 }),
    expected: 'completion (1 of 4 succeeded)',
  },
  {
    name: 'Job suspended',
    object: job([], { suspend: true }),
    expected: 'the Job to be resumed (spec.suspend is true)',
  },
  {
    name: 'Pod ready',
    object: an('v1', 'Pod', {
      status: { phase: 'Running', conditions: [condition('Ready', 'True')] },
    }),
    expected: 'ready',
  },
  {
    name: 'Pod without a node',
    object: an('v1', 'Pod', {
      status: {
        conditions: [
          condition('PodScheduled', 'False', { reason: 'Unschedulable', message: '0/3 nodes' }),
        ],
      },
    }),
    expected: 'a node: Unschedulable: 0/3 nodes',
  },
  {
    name: 'Pod failed',
    object: an('v1', 'Pod', { status: { phase: 'Failed', reason: 'Evicted' } }),
    expected: 'failed: the pod failed: Evicted',
  },
  {
    name: 'claim bound',
    object: an('v1', 'PersistentVolumeClaim', { status: { phase: 'Bound' } }),
    expected: 'ready',
  },
  {
    name: 'claim waiting for its first consumer',
    object: an('v1', 'PersistentVolumeClaim', { status: { phase: 'Pending' } }),
    expected: 'ready',
  },
  {
    name: 'claim with a node selected and no volume',
    object: an('v1', 'PersistentVolumeClaim', {
      status: { phase: 'Pending' },
      metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'n1' } },
    }),
    expected: 'the volume to be bound (phase Pending)',
  },
  {
    name: 'claim lost',
    object: an('v1', 'PersistentVolumeClaim', { status: { phase: 'Lost' } }),
    expected: 'failed: the volume is lost',
  },
  {
    name: 'Service without selector',
    object: an('v1', 'Service', { spec: {} }),
    expected: 'ready',
  },
  {
    name: 'load balancer without address',
    object: an('v1', 'Service', { spec: { type: 'LoadBalancer' } }),
    expected: 'an address of the load balancer',
  },
  {
    name: 'load balancer with a host name',
    object: an('v1', 'Service', {
      spec: { type: 'LoadBalancer' },
      status: { loadBalancer: { ingress: [{ hostname: 'a' }] } },
    }),
    expected: 'ready',
  },
  {
    name: 'Ingress without address',
    object: an('networking.k8s.io/v1', 'Ingress', {}),
    expected: 'an address from the ingress controller',
  },
  {
    name: 'CRD not established',
    object: an('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {}),
    expected: 'the API to be established',
  },
  {
    name: 'CRD established',
    object: an('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
      status: { conditions: [condition('Established', 'True')] },
    }),
    expected: 'ready',
  },
  {
    name: 'CRD whose names are taken',
    object: an('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
      status: { conditions: [condition('NamesAccepted', 'False', { reason: 'ListKindConflict' })] },
    }),
    expected: 'failed: ListKindConflict',
  },
  {
    name: 'Namespace active',
    object: an('v1', 'Namespace', { status: { phase: 'Active' } }),
    expected: 'ready',
  },
  {
    name: 'Namespace terminating',
    object: an('v1', 'Namespace', { status: { phase: 'Terminating' } }),
    expected: 'the old namespace to be gone (it is terminating)',
  },
  {
    name: 'disruption budget not met',
    object: an('policy/v1', 'PodDisruptionBudget', {
      status: { observedGeneration: 2, currentHealthy: 1, desiredHealthy: 2 },
    }),
    expected: 'healthy pods (1 of 2)',
  },
  { name: 'ConfigMap', object: an('v1', 'ConfigMap', {}), expected: 'ready' },
  { name: 'Role', object: an('rbac.authorization.k8s.io/v1', 'Role', {}), expected: 'ready' },
  { name: 'custom resource without status', object: custom({}), expected: 'ready' },
  {
    name: 'custom resource not observed',
    object: custom({ observedGeneration: 1 }),
    expected: 'generation 2 to be observed (1 is)',
  },
  {
    name: 'custom resource Ready',
    object: custom({ conditions: [condition('Ready', 'True')] }),
    expected: 'ready',
  },
  {
    name: 'custom resource Ready for an older generation',
    object: custom({ conditions: [condition('Ready', 'True', { observedGeneration: 1 })] }),
    expected: 'condition Ready of generation 2',
  },
  {
    name: 'custom resource not Ready',
    object: custom({ conditions: [condition('Ready', 'False', { reason: 'Pulling' })] }),
    expected: 'condition Ready: Pulling',
  },
  {
    name: 'custom resource stalled',
    object: custom({
      conditions: [
        condition('Stalled', 'True', { reason: 'NoSuchChart' }),
        condition('Ready', 'True'),
      ],
    }),
    expected: 'failed: NoSuchChart',
  },
  {
    name: 'custom resource reconciling',
    object: custom({
      conditions: [
        condition('Reconciling', 'True', { reason: 'Progressing' }),
        condition('Ready', 'True'),
      ],
    }),
    expected: 'Progressing',
  },
];

describe('readiness', () => {
  test.each(CASES)('$name', ({ object, expected }) => {
    const { ready, failed, waitingFor } = readiness(object);

    expect(ready ? 'ready' : failed === undefined ? waitingFor : `failed: ${failed}`).toBe(
      expected,
    );
    expect(waitingFor === '').toBe(ready);
  });

  test.each([
    ['apps/v1', 'Deployment', true],
    ['example.io/v1', 'Widget', true],
    ['v1', 'ConfigMap', false],
    ['rbac.authorization.k8s.io/v1', 'Role', false],
  ])('%s %s watched: %s', (apiVersion, kind, expected) =>
    expect(isWatched({ apiVersion, kind })).toBe(expected),
  );
});
