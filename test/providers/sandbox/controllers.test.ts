import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { applyObject, createObject } from '../../../lib/providers/sandbox/api/writes.js';
import { deleteObject } from '../../../lib/providers/sandbox/api/deletes.js';
import { runControllers } from '../../../lib/providers/sandbox/controllers/controller.js';
import { allControllers } from '../../../lib/providers/sandbox/controllers/index.js';
import { listAt, objectAt, type JsonObject } from '../../../lib/providers/sandbox/merge/json.js';
import { Registry } from '../../../lib/providers/sandbox/schema/registry.js';
import type { Kind } from '../../../lib/providers/sandbox/schema/kinds.js';
import { Store } from '../../../lib/providers/sandbox/store/store.js';
import type { World } from '../../../lib/providers/sandbox/world.js';
import { podTemplate } from '../../contract/objects.js';
import { fakeTime, type FakeTime } from './fake-time.js';

const DONE = 20_000;

describe('controllers', () => {
  let world: World;
  let time: FakeTime;
  let stop: () => void;
  beforeEach(() => {
    time = fakeTime();
    world = { name: 'a', index: 0, store: new Store(), kinds: new Registry(), time };
    for (const name of ['node-1', 'node-2']) {
      const allocatable = { cpu: '4', memory: '8Gi', pods: '110' };
      world.store.put(kind('v1', 'Node'), {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, uid: name },
        status: { allocatable },
      });
    }
    createObject(
      world,
      kind('v1', 'Namespace'),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      { manager: 'test' },
    );
    stop = runControllers(world, allControllers());
  });
  afterEach(() => stop());

  const kind = (apiVersion: string, name: string): Kind => {
    const found = world.kinds.byKind(apiVersion, name);
    if (found === undefined) throw new Error(`${name} is not served`);
    return found;
  };
  const apply = (apiVersion: string, name: string, spec: object): JsonObject =>
    applyObject(
      world,
      kind(apiVersion, name),
      { apiVersion, kind: name, metadata: { name: 'web', namespace: 'shop' }, spec },
      { manager: 'test', force: false },
    ).object;
  const get = (apiVersion: string, name: string): JsonObject =>
    world.store.get(kind(apiVersion, name), 'shop', 'web') ?? {};
  const pods = (): JsonObject[] => world.store.list({ group: '', resource: 'pods' }, 'shop');
  const deployment = (shape: {
    replicas: number;
    image?: string;
    more?: object;
    annotations?: Record<string, string>;
    container?: object;
  }): JsonObject =>
    apply('apps/v1', 'Deployment', {
      replicas: shape.replicas,
      selector: { matchLabels: { app: 'web' } },
      template: podTemplate('web', {
        ...(shape.image !== undefined && { image: shape.image }),
        ...(shape.annotations !== undefined && { podAnnotations: shape.annotations }),
        ...(shape.container !== undefined && {
          container: shape.container as Record<string, unknown>,
        }),
      }),
      ...shape.more,
    });
  const status = (): JsonObject => objectAt(get('apps/v1', 'Deployment'), 'status');
  const condition = (type: string): unknown =>
    listAt(status(), 'conditions')
      .map((each) => objectAt(each))
      .find((each) => each['type'] === type);

  test('a Deployment is seen a little later and ready later still', () => {
    deployment({ replicas: 3 });
    expect(status()).toEqual({});

    time.advance(100);
    expect(status()).toMatchObject({ observedGeneration: 1, replicas: 3, unavailableReplicas: 3 });

    time.advance(400);
    expect(status()).toMatchObject({ readyReplicas: 3, updatedReplicas: 3, availableReplicas: 3 });
  });

  test('a rolling update keeps between the bounds of its strategy at every moment', () => {
    const more = { strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } } };
    deployment({ replicas: 8, more });
    time.advance(DONE);
    deployment({ replicas: 8, image: 'registry.example/app:2', more });
    const seen: { pods: number; available: number }[] = [];

    for (let at = 0; at < 600; at++) {
      time.advance(5);
      const ready = pods().filter((pod) =>
        listAt(pod, 'status', 'conditions').some(
          (each) => objectAt(each)['type'] === 'Ready' && objectAt(each)['status'] === 'True',
        ),
      );
      seen.push({ pods: pods().length, available: ready.length });
    }

    expect(Math.max(...seen.map((each) => each.pods))).toBe(10);
    expect(Math.min(...seen.map((each) => each.available))).toBeGreaterThanOrEqual(7);
    expect(status()).toMatchObject({
      observedGeneration: 2,
      replicas: 8,
      updatedReplicas: 8,
      availableReplicas: 8,
    });
    expect(
      new Set(pods().map((pod) => objectAt(listAt(pod, 'spec', 'containers')[0])['image'])),
    ).toEqual(new Set(['registry.example/app:2']));
  });

  test('Recreate empties the old revision first', () => {
    const more = { strategy: { type: 'Recreate' } };
    deployment({ replicas: 2, more });
    time.advance(DONE);
    deployment({ replicas: 2, image: 'registry.example/app:2', more });
    const counts = new Set<number>();

    for (let at = 0; at < 100; at++) {
      time.advance(5);
      counts.add(pods().length);
    }

    expect(Math.max(...counts)).toBe(2);
    expect(counts).toContain(0);
  });

  test.each([
    {
      name: 'an image that no registry has',
      shape: { image: 'nginx:does-not-exist' },
      reason: 'ImagePullBackOff',
    },
    {
      name: 'an annotation that says so',
      shape: { annotations: { 'rig/never-ready': 'CrashLoopBackOff' } },
      reason: 'CrashLoopBackOff',
    },
  ])('$name keeps pods waiting until the deadline passes', ({ shape, reason }) => {
    deployment({ replicas: 1, ...shape, more: { progressDeadlineSeconds: 30 } });

    time.advance(25_000);
    expect(condition('Progressing')).toMatchObject({ status: 'True' });
    time.advance(10_000);

    expect(condition('Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
    });
    expect(condition('Available')).toMatchObject({ status: 'False' });
    const [container] = listAt(pods()[0], 'status', 'containerStatuses');
    expect(objectAt(container, 'state', 'waiting')['reason']).toBe(reason);
  });

  test('an annotation delays readiness', () => {
    deployment({ replicas: 1, annotations: { 'rig/ready-after': '1m30s' } });

    time.advance(89_000);
    expect(status()['readyReplicas']).toBeUndefined();
    time.advance(2_000);

    expect(status()['readyReplicas']).toBe(1);
  });

  test('a ready pod is available after minReadySeconds', () => {
    deployment({ replicas: 1, more: { minReadySeconds: 10 } });

    time.advance(5_000);
    expect(status()).toMatchObject({ readyReplicas: 1, unavailableReplicas: 1 });
    expect(condition('Available')).toMatchObject({ status: 'False' });
    time.advance(10_000);

    expect(status()).toMatchObject({ readyReplicas: 1, availableReplicas: 1 });
  });

  test('pods that fit on no node wait and say why', () => {
    deployment({ replicas: 3, container: { resources: { requests: { cpu: '3' } } } });

    time.advance(DONE);

    expect(status()).toMatchObject({ replicas: 3, readyReplicas: 2, unavailableReplicas: 1 });
    const waiting = pods().find((pod) => objectAt(pod, 'spec')['nodeName'] === undefined);
    expect(objectAt(listAt(waiting, 'status', 'conditions')[0])).toMatchObject({
      type: 'PodScheduled',
      reason: 'Unschedulable',
      message: '0/2 nodes are available: 2 Insufficient cpu.',
    });
  });

  test('a StatefulSet starts pods one after the other and replaces them from the last', () => {
    const set = (image: string): JsonObject =>
      apply('apps/v1', 'StatefulSet', {
        serviceName: 'web',
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: podTemplate('web', { image }),
      });
    const images = (): unknown[] =>
      pods().map((pod) => objectAt(listAt(pod, 'spec', 'containers')[0])['image']);
    set('a:1');
    const counts: number[] = [];
    for (let at = 0; at < 20; at++) {
      time.advance(100);
      counts.push(pods().length);
    }
    expect(new Set(counts)).toEqual(new Set([1, 2, 3]));

    set('a:2');
    time.advance(150);
    expect(images()).toEqual(['a:1', 'a:1', 'a:2']);
    time.advance(DONE);

    expect(images()).toEqual(['a:2', 'a:2', 'a:2']);
    expect(objectAt(get('apps/v1', 'StatefulSet'), 'status')).toMatchObject({
      readyReplicas: 3,
      updatedReplicas: 3,
      currentReplicas: 3,
    });
  });

  test('a Job runs to its end, in parallel as far as it may', () => {
    const template = {
      spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] },
    };
    apply('batch/v1', 'Job', { completions: 5, parallelism: 2, template });

    time.advance(100);
    expect(objectAt(get('batch/v1', 'Job'), 'status')['active']).toBe(2);
    time.advance(DONE);

    expect(objectAt(get('batch/v1', 'Job'), 'status')).toMatchObject({
      succeeded: 5,
      conditions: [{ type: 'SuccessCriteriaMet' }, { type: 'Complete' }],
    });
    expect(pods()).toHaveLength(5);
  });

  test('a Service of type LoadBalancer gets an address, a claim is bound', () => {
    apply('v1', 'Service', { type: 'LoadBalancer', ports: [{ port: 80 }] });
    apply('v1', 'PersistentVolumeClaim', {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    });

    time.advance(100);

    expect(objectAt(get('v1', 'Service'), 'status')).toEqual({
      loadBalancer: { ingress: [{ ip: '192.0.2.10', ipMode: 'VIP' }] },
    });
    expect(objectAt(get('v1', 'PersistentVolumeClaim'), 'status')).toMatchObject({
      phase: 'Bound',
      capacity: { storage: '1Gi' },
    });
  });

  test.each([
    { policy: 'Background' as const, pods: 0 },
    { policy: 'Foreground' as const, pods: 0 },
    { policy: 'Orphan' as const, pods: 2 },
  ])('deleting with propagation $policy leaves $pods pods', ({ policy, pods: left }) => {
    deployment({ replicas: 2 });
    time.advance(DONE);

    const live = get('apps/v1', 'Deployment');
    const { gone } = deleteObject(world, kind('apps/v1', 'Deployment'), live, {
      propagationPolicy: policy,
    });
    expect(gone).toBe(policy === 'Background');
    time.advance(DONE);

    expect(get('apps/v1', 'Deployment')).toEqual({});
    expect(pods()).toHaveLength(left);
  });

  test('a namespace goes with all that is in it', () => {
    deployment({ replicas: 2 });
    time.advance(DONE);
    const namespaces = kind('v1', 'Namespace');

    deleteObject(world, namespaces, world.store.get(namespaces, undefined, 'shop') ?? {}, {});
    expect(() => apply('v1', 'Service', { ports: [{ port: 80 }] })).toThrow('is being terminated');
    time.advance(DONE);

    expect(world.store.get(namespaces, undefined, 'shop')).toBeUndefined();
    expect(
      [...world.store.all()].filter(
        ([, object]) => objectAt(object, 'metadata')['namespace'] === 'shop',
      ),
    ).toEqual([]);
  });
});
