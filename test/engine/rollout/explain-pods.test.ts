import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { explainPods, findCrash } from '../../../lib/engine/rollout/index.js';

const pod = (status: object, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  status,
});
const waiting = (reason: string, message?: string, exitCode?: number): KubeObject =>
  pod({
    phase: 'Pending',
    containerStatuses: [
      {
        name: 'main',
        state: { waiting: { reason, ...(message !== undefined && { message }) } },
        ...(exitCode !== undefined && { lastState: { terminated: { exitCode } } }),
      },
    ],
  });

describe('why pods are not ready', () => {
  test('the most frequent reason comes first, counted', () => {
    expect(
      explainPods([
        waiting('CrashLoopBackOff', 'back-off 10s', 137),
        waiting('ImagePullBackOff', 'no a'),
        waiting('ImagePullBackOff', 'no b'),
      ]),
    ).toEqual([
      '2 pods: ImagePullBackOff: no a',
      '1 pod: CrashLoopBackOff (last exit code 137): back-off 10s',
    ]);
  });

  test('a pod without a node quotes the scheduler', () => {
    const conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: '0/3 nodes are available',
      },
    ];

    expect(explainPods([pod({ phase: 'Pending', conditions })])).toEqual([
      '1 pod: Unschedulable: 0/3 nodes are available',
    ]);
  });

  test('a failing init container counts', () => {
    expect(
      explainPods([
        pod({ initContainerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }] }),
      ]),
    ).toEqual(['1 pod: CrashLoopBackOff']);
  });

  test('a pod that runs and is not ready says so', () => {
    const conditions = [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady' }];

    expect(explainPods([pod({ phase: 'Running', conditions })])).toEqual([
      '1 pod: running, not ready: ContainersNotReady',
    ]);
  });

  test('pods on their way, ready ones and those that go explain nothing', () => {
    const conditions = [{ type: 'Ready', status: 'True' }];
    const going = waiting('ImagePullBackOff');

    expect(
      explainPods([
        waiting('ContainerCreating'),
        pod({ phase: 'Running', conditions }),
        { ...going, metadata: { ...going.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
      ]),
    ).toEqual([]);
  });
});

describe('a crash', () => {
  const crashing = (name: string, reason = 'CrashLoopBackOff'): KubeObject =>
    pod(
      {
        initContainerStatuses: [{ name: 'setup', state: { terminated: { exitCode: 0 } } }],
        containerStatuses: [{ name: 'main', state: { waiting: { reason } } }],
      },
      { name, namespace: 'shop' },
    );

  test('is found in the first pod by name that is started again and again', () => {
    const pods = [crashing('c'), crashing('b'), crashing('a', 'ImagePullBackOff')];

    expect(findCrash(pods)).toEqual({ namespace: 'shop', pod: 'b', container: 'main' });
  });

  test('of pods that are going, or wait for something else, is none', () => {
    const going = { ...crashing('a').metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };

    expect(findCrash([{ ...crashing('a'), metadata: going }])).toBeUndefined();
    expect(findCrash([crashing('a', 'ImagePullBackOff'), pod({})])).toBeUndefined();
  });
});
