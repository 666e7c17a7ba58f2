import { beforeAll, describe, expect, test } from '@jest/globals';

import type { KubeObject } from '../../lib/api/object.js';
import { aDeployment, aService, podTemplate } from './objects.js';
import {
  at,
  freshNamespace,
  managersOf,
  SLOW,
  until,
  untilObject,
  type Subject,
} from './subject.js';

const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' } as const;

export function workloads(subject: Subject): void {
  describe('workloads', () => {
    let namespace: string;
    beforeAll(async () => {
      namespace = await freshNamespace(subject.client());
    }, SLOW);

    const isRolledOut = (object: KubeObject, generation: number, replicas: number): boolean =>
      at(object, 'status.observedGeneration') === generation &&
      (at(object, 'status.updatedReplicas') ?? 0) === replicas &&
      (at(object, 'status.availableReplicas') ?? 0) === replicas &&
      (at(object, 'status.replicas') ?? 0) === replicas;
    const conditionsOf = (object: KubeObject): Readonly<Record<string, unknown>> => {
      const conditions = at(object, 'status.conditions') as readonly Readonly<
        Record<string, string>
      >[];
      return Object.fromEntries(
        conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]),
      );
    };

    test(
      'a Deployment becomes ready, and says so in its status',
      async () => {
        const client = subject.client();
        const created = await client.apply(aDeployment(namespace, 'ready', { replicas: 2 }));
        expect(at(created, 'status.observedGeneration')).toBeUndefined();

        const ref = { ...DEPLOYMENT, namespace, name: 'ready' };
        const ready = await untilObject(
          client,
          ref,
          (object) =>
            isRolledOut(object, 1, 2) &&
            String(conditionsOf(object)['Progressing']).includes('NewReplicaSetAvailable'),
        );

        expect(ready.metadata.generation).toBe(1);
        expect(at(ready, 'status.readyReplicas')).toBe(2);
        expect(conditionsOf(ready)).toMatchObject({
          Available: 'True MinimumReplicasAvailable',
          Progressing: 'True NewReplicaSetAvailable',
        });
        expect(ready.metadata.annotations).toMatchObject({
          'deployment.kubernetes.io/revision': '1',
        });
        expect(managersOf(ready)).toEqual([
          'fleetwright/Apply',
          'kube-controller-manager/Update/status',
        ]);
      },
      SLOW,
    );

    test(
      'a new image is a new generation, observed later; our apply keeps what controllers own',
      async () => {
        const client = subject.client();
        const ref = { ...DEPLOYMENT, namespace, name: 'update' };
        await client.apply(aDeployment(namespace, 'update', { replicas: 2 }));
        await untilObject(client, ref, (object) => isRolledOut(object, 1, 2));

        const changed = await client.apply(
          aDeployment(namespace, 'update', { replicas: 2, image: 'registry.example/app:2' }),
        );
        expect(changed.metadata.generation).toBe(2);
        expect(changed.metadata.annotations).toMatchObject({
          'deployment.kubernetes.io/revision': '1',
        });
        const ready = await untilObject(client, ref, (object) => isRolledOut(object, 2, 2));

        expect(ready.metadata.annotations).toMatchObject({
          'deployment.kubernetes.io/revision': '2',
        });
        const sets = await client.list(
          { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
          { namespace, labelSelector: 'app=update' },
        );
        expect(new Set(sets.map((set) => at(set, 'spec.replicas')))).toEqual(new Set([0, 2]));
      },
      SLOW,
    );

    test(
      'scaling to zero and back',
      async () => {
        const client = subject.client();
        const ref = { ...DEPLOYMENT, namespace, name: 'scale' };
        await client.apply(aDeployment(namespace, 'scale', { replicas: 1 }));
        await untilObject(client, ref, (object) => isRolledOut(object, 1, 1));
        await client.apply(aDeployment(namespace, 'scale', { replicas: 0 }));
        await untilObject(client, ref, (object) => isRolledOut(object, 2, 0));
        await client.apply(aDeployment(namespace, 'scale', { replicas: 3 }));

        const ready = await untilObject(client, ref, (object) => isRolledOut(object, 3, 3));

        expect(at(ready, 'status.readyReplicas')).toBe(3);
      },
      SLOW,
    );

    test(
      'a pod that never becomes ready keeps its Deployment from it; a repaired template makes it ready',
      async () => {
        const client = subject.client();
        const ref = { ...DEPLOYMENT, namespace, name: 'stuck' };
        const stuck = { 'rig/never-ready': 'ImagePullBackOff' };
        await client.apply(aDeployment(namespace, 'stuck', { replicas: 1, podAnnotations: stuck }));

        const waiting = await until(client, { apiVersion: 'v1', kind: 'Pod' }, namespace, (pods) =>
          pods
            .filter((pod) => at(pod, 'metadata.labels.app') === 'stuck')
            .map((pod) => at(pod, 'status.containerStatuses.0.state.waiting.reason'))
            .find((reason) => reason !== undefined && reason !== 'ContainerCreating'),
        );
        expect(waiting).toBe('ImagePullBackOff');
        const seen = await untilObject(
          client,
          ref,
          (object) => at(object, 'status.unavailableReplicas') === 1,
        );
        expect(at(seen, 'status.readyReplicas')).toBeUndefined();
        expect(conditionsOf(seen)).toMatchObject({ Available: 'False MinimumReplicasUnavailable' });

        await client.apply(aDeployment(namespace, 'stuck', { replicas: 1 }));
        await untilObject(client, ref, (object) => isRolledOut(object, 2, 1));
      },
      SLOW,
    );

    test(
      'a Deployment without progress in time says so',
      async () => {
        const client = subject.client();
        const object = aDeployment(namespace, 'late', {
          podAnnotations: { 'rig/never-ready': 'CrashLoopBackOff' },
        });
        const spec = { ...(object['spec'] as object), progressDeadlineSeconds: 1 };
        await client.apply({ ...object, spec });

        const ref = { ...DEPLOYMENT, namespace, name: 'late' };
        const late = await untilObject(
          client,
          ref,
          (seen) =>
            at(seen, 'status.conditions') !== undefined &&
            String(conditionsOf(seen)['Progressing']).startsWith('False'),
        );

        expect(conditionsOf(late)['Progressing']).toBe('False ProgressDeadlineExceeded');
      },
      SLOW,
    );

    test(
      'a StatefulSet becomes ready one by one, with names of its own',
      async () => {
        const client = subject.client();
        const ref = { apiVersion: 'apps/v1', kind: 'StatefulSet', namespace, name: 'db' };
        await client.apply({
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata: { namespace, name: 'db' },
          spec: {
            replicas: 2,
            serviceName: 'db',
            selector: { matchLabels: { app: 'db' } },
            template: podTemplate('db'),
          },
        });

        const ready = await untilObject(
          client,
          ref,
          (object) => at(object, 'status.readyReplicas') === 2,
        );

        expect(at(ready, 'status.observedGeneration')).toBe(1);
        expect(at(ready, 'status.updateRevision')).toBe(at(ready, 'status.currentRevision'));
        const pods = await client.list(
          { apiVersion: 'v1', kind: 'Pod' },
          { namespace, labelSelector: 'app=db' },
        );
        expect(pods.map((pod) => pod.metadata.name)).toEqual(['db-0', 'db-1']);
      },
      SLOW,
    );

    test(
      'a DaemonSet runs once on every node',
      async () => {
        const client = subject.client();
        const nodes = (await client.list({ apiVersion: 'v1', kind: 'Node' })).length;
        const ref = { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace, name: 'agent' };
        await client.apply({
          apiVersion: 'apps/v1',
          kind: 'DaemonSet',
          metadata: { namespace, name: 'agent' },
          spec: { selector: { matchLabels: { app: 'agent' } }, template: podTemplate('agent') },
        });

        const ready = await untilObject(
          client,
          ref,
          (object) => at(object, 'status.numberReady') === nodes,
        );

        expect(ready['status']).toMatchObject({
          observedGeneration: 1,
          desiredNumberScheduled: nodes,
          updatedNumberScheduled: nodes,
          numberAvailable: nodes,
        });
      },
      SLOW,
    );

    test(
      'a Job completes',
      async () => {
        const client = subject.client();
        const ref = { apiVersion: 'batch/v1', kind: 'Job', namespace, name: 'once' };
        await client.apply({
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: { namespace, name: 'once' },
          spec: {
            completions: 2,
            parallelism: 2,
            template: {
              spec: {
                restartPolicy: 'Never',
                containers: [{ name: 'app', image: 'registry.example/app:1' }],
              },
            },
          },
        });

        const done = await untilObject(
          client,
          ref,
          (object) => at(object, 'status.completionTime') !== undefined,
        );

        expect(at(done, 'status.succeeded')).toBe(2);
        expect(conditionsOf(done)['Complete']).toMatch(/^True/);
      },
      SLOW,
    );

    test(
      'a Service has the ready pods as endpoints',
      async () => {
        const client = subject.client();
        await client.apply(aService(namespace, 'served'));
        await client.apply(aDeployment(namespace, 'served', { replicas: 2 }));

        const kind = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' };
        const ready = await until(client, kind, namespace, (slices) => {
          const mine = slices.filter(
            (slice) => slice.metadata.labels?.['kubernetes.io/service-name'] === 'served',
          );
          const endpoints = mine.flatMap(
            (slice) => (at(slice, 'endpoints') ?? []) as readonly unknown[],
          );
          const addresses = endpoints.filter(
            (endpoint) => at(endpoint, 'conditions.ready') === true,
          );
          return addresses.length === 2 ? addresses : undefined;
        });

        expect(ready).toHaveLength(2);
      },
      SLOW,
    );
  });
}
