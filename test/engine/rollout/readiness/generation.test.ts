import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../../lib/api/object.js';
import { readiness } from '../../../../lib/engine/rollout/readiness/index.js';

/** Objects that are rolled out at generation 2. */
const DONE: readonly KubeObject[] = [
  an('apps/v1', 'Deployment', { replicas: 2 }, counters()),
  an('apps/v1', 'ReplicaSet', { replicas: 2 }, counters()),
  an('v1', 'ReplicationController', { replicas: 2 }, counters()),
  an('apps/v1', 'StatefulSet', { replicas: 2 }, { ...counters(), ...revisions() }),
  an(
    'apps/v1',
    'DaemonSet',
    {},
    { desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2, numberReady: 2 },
  ),
  an('policy/v1', 'PodDisruptionBudget', {}, { currentHealthy: 2, desiredHealthy: 1 }),
  an('v1', 'Pod', {}, { phase: 'Running', conditions: [condition('Ready')] }),
  an(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    {},
    { conditions: [condition('Established')] },
  ),
  an('example.io/v1', 'Widget', {}, { conditions: [condition('Ready')] }),
  an('apps.kruise.io/v1alpha1', 'CloneSet', { replicas: 2 }, counters()),
  an('argoproj.io/v1alpha1', 'Rollout', { replicas: 2 }, { ...counters(), phase: 'Healthy' }),
];

describe('an object is judged by its newest generation', () => {
  test.each(DONE.map((object) => [object.kind, object] as const))('%s', (_kind, object) => {
    expect(readiness(object)).toEqual({ ready: true, waitingFor: '' });
    expect(readiness(withStatus(object, { observedGeneration: 1 }))).toEqual({
      ready: false,
      waitingFor: 'generation 2 to be observed (1 is)',
    });
  });

  test('where a controller writes it as text, the text counts', () => {
    const [rollout] = DONE.slice(-1) as [KubeObject];

    expect(readiness(withStatus(rollout, { observedGeneration: '2' })).ready).toBe(true);
    expect(readiness(withStatus(rollout, { observedGeneration: '1' })).ready).toBe(false);
    expect(readiness(withStatus(rollout, { observedGeneration: '7d9f' })).ready).toBe(false);
  });

  test.each(['Pod', 'CustomResourceDefinition', 'Widget'])(
    'a %s that never says which one it observed is believed, unless its condition is older',
    (kind) => {
      const object = DONE.find((one) => one.kind === kind) as KubeObject;
      const { observedGeneration: _, ...status } = object['status'] as Record<string, unknown>;
      const older = (status['conditions'] as readonly object[]).map((one) => ({
        ...one,
        observedGeneration: 1,
      }));

      expect(readiness({ ...object, status }).ready).toBe(true);
      expect(readiness({ ...object, status: { ...status, conditions: older } }).ready).toBe(false);
    },
  );

  test('a resource that was stalled at an older generation is not given up', () => {
    const stalled = { ...condition('Stalled'), observedGeneration: 1 };

    expect(
      readiness(an('example.io/v1', 'Widget', {}, { conditions: [stalled] })),
    ).not.toHaveProperty('failed');
  });
});

describe('a change that keeps the old state good all the while', () => {
  test.each(['PodResizePending', 'PodResizeInProgress'])('a pod with %s', (type) => {
    const conditions = [condition('Ready'), { ...condition(type), reason: 'Deferred' }];

    expect(readiness(an('v1', 'Pod', {}, { phase: 'Running', conditions })).waitingFor).toBe(
      'the resize: Deferred',
    );
  });

  test.each([
    ['1Gi', '2Gi', [], 'the volume to grow (1Gi of 2Gi)'],
    [
      '1Gi',
      '2Gi',
      [{ ...condition('FileSystemResizePending'), message: 'no pod uses it' }],
      'the volume to grow (1Gi of 2Gi): FileSystemResizePending: no pod uses it',
    ],
    ['2Gi', '2048Mi', [], ''],
    ['10Gi', '2Gi', [], ''],
    [undefined, '2Gi', [], ''],
  ])('a bound claim of %s that asks for %s', (given, wanted, conditions, waitingFor) => {
    const claim = an(
      'v1',
      'PersistentVolumeClaim',
      { resources: { requests: { storage: wanted } } },
      { phase: 'Bound', conditions, ...(given !== undefined && { capacity: { storage: given } }) },
    );

    expect(readiness(claim)).toEqual({ ready: waitingFor === '', waitingFor });
  });

  test('a ReplicaSet with pods to go', () => {
    const set = an('apps/v1', 'ReplicaSet', { replicas: 1 }, counters());

    expect(readiness(set).waitingFor).toBe('1 surplus replica to go');
  });

  test('a definition that is terminating', () => {
    const conditions = [condition('Established'), condition('Terminating')];
    const definition = an(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      {},
      { conditions },
    );

    expect(readiness(definition).waitingFor).toContain('it is terminating');
  });
});

describe('kinds without conditions, by the health rule of the kind', () => {
  test('a CloneSet whose pods are not updated is not ready', () => {
    const object = an(
      'apps.kruise.io/v1alpha1',
      'CloneSet',
      { replicas: 2 },
      { ...counters(), updatedReplicas: 1 },
    );

    expect(readiness(object).waitingFor).toBe('the CloneSet to be healthy');
  });

  test('one that its controller has not seen yet is not ready either', () => {
    const { status: _, ...object } = an('sparkoperator.k8s.io/v1beta2', 'SparkApplication', {}, {});

    expect(readiness(object).ready).toBe(false);
  });
});

describe('an Argo Rollout', () => {
  test.each([
    ['Paused', 'the rollout to be healthy (phase Paused: CanaryPauseStep)'],
    ['Progressing', 'the rollout to be healthy (phase Progressing: CanaryPauseStep)'],
    [undefined, 'the rollout to be healthy (phase unknown: CanaryPauseStep)'],
    ['Degraded', 'degraded: CanaryPauseStep'],
  ])('in phase %s', (phase, waitingFor) => {
    const status = { ...counters(), phase, message: 'CanaryPauseStep' };
    const found = readiness(an('argoproj.io/v1alpha1', 'Rollout', { replicas: 2 }, status));

    expect(found).toMatchObject({ ready: false, waitingFor });
    expect(found.mayRecover === true).toBe(phase === 'Degraded');
  });

  test('that is healthy and still has old pods', () => {
    const status = { ...counters(), phase: 'Healthy', replicas: 3 };

    expect(
      readiness(an('argoproj.io/v1alpha1', 'Rollout', { replicas: 2 }, status)).waitingFor,
    ).toBe('1 old replica to go');
  });
});

function an(apiVersion: string, kind: string, spec: object, status: object): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: { name: 'web', generation: 2 },
    spec,
    status: { observedGeneration: 2, ...status },
  };
}

function withStatus(object: KubeObject, more: object): KubeObject {
  return { ...object, status: { ...(object['status'] as object), ...more } };
}

function counters(): object {
  return { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
}

function revisions(): object {
  return { currentRevision: 'b', updateRevision: 'b' };
}

function condition(type: string): { readonly type: string; readonly status: string } {
  return { type, status: 'True' };
}
