import { beforeAll, describe, expect, test } from '@jest/globals';

import type { KubeObject } from '../../lib/api/object.js';
import type { ApplyOptions } from '../../lib/providers/cluster/index.js';
import { aConfigMap, aDeployment, aService, podTemplate } from './objects.js';
import {
  at,
  failureOf,
  freshName,
  freshNamespace,
  managersOf,
  SLOW,
  untilObject,
  type Subject,
} from './subject.js';

export function applying(subject: Subject): void {
  describe('applying', () => {
    let namespace: string;
    beforeAll(async () => {
      namespace = await freshNamespace(subject.client());
    }, SLOW);

    const apply = (object: KubeObject, options?: ApplyOptions): Promise<KubeObject> =>
      subject.client().apply(object, options);

    test('creates what is absent, under our manager', async () => {
      const created = await apply(aConfigMap(namespace, 'created'));

      expect(created).toMatchObject({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        data: { key: 'value' },
      });
      expect(managersOf(created)).toEqual(['fleetwright/Apply']);
      expect(at(created, 'metadata.managedFields.0')).toMatchObject({
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:key': {} } },
      });
    });

    test.each([
      { name: 'a ConfigMap', object: () => aConfigMap(namespace, 'twice') },
      { name: 'a Service, which gets an address', object: () => aService(namespace, 'twice') },
    ])('the same again changes nothing: $name', async ({ object }) => {
      const first = await apply(object());
      const second = await apply(object());

      expect(second).toEqual(first);
    });

    test(
      'the same again changes nothing: a Deployment, with quantities in another spelling',
      async () => {
        const limits = { cpu: '1000m', memory: '1024Mi' };
        const object = aDeployment(namespace, 'twice', {
          replicas: 0,
          container: { resources: { limits } },
        });
        await apply(object);
        const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'twice' };
        // The controller writes its status twice: generation, then conditions.
        const settled = await untilObject(
          subject.client(),
          ref,
          (seen) =>
            at(seen, 'status.observedGeneration') === 1 &&
            at(seen, 'status.conditions') !== undefined,
        );

        const second = await apply(object);

        expect(at(second, 'spec.template.spec.containers.0.resources.limits')).toEqual({
          cpu: '1',
          memory: '1Gi',
        });
        expect(second.metadata.generation).toBe(settled.metadata.generation);
        expect(ownedSince(second)).toBe(ownedSince(settled));
      },
      SLOW,
    );

    test('a change moves the resource version', async () => {
      const first = await apply(aConfigMap(namespace, 'moving', { key: '1' }));
      const second = await apply(aConfigMap(namespace, 'moving', { key: '2' }));

      expect(second.metadata.uid).toBe(first.metadata.uid);
      expect(second.metadata.resourceVersion).not.toBe(first.metadata.resourceVersion);
      expect(second['data']).toEqual({ key: '2' });
    });

    test('a field that we no longer apply goes', async () => {
      await apply(
        aConfigMap(namespace, 'shrinking', { key: '1', old: '1' }, { keep: 'a', drop: 'b' }),
      );

      const stored = await apply(aConfigMap(namespace, 'shrinking', { key: '1' }, { keep: 'a' }));

      expect(stored['data']).toEqual({ key: '1' });
      expect(stored.metadata.labels).toEqual({ keep: 'a' });
    });

    test('replicas that we no longer apply fall back to 1', async () => {
      await apply(aDeployment(namespace, 'unsaid', { replicas: 0 }));

      const stored = await apply(aDeployment(namespace, 'unsaid', { replicas: undefined }));

      expect(at(stored, 'spec.replicas')).toBe(1);
    });

    test('defaults of the kind are filled in', async () => {
      const stored = await apply(
        aDeployment(namespace, 'defaults', {
          replicas: undefined,
          container: { ports: [{ containerPort: 8080 }] },
        }),
      );

      expect(stored).toMatchObject({
        spec: {
          replicas: 1,
          revisionHistoryLimit: 10,
          progressDeadlineSeconds: 600,
          strategy: {
            type: 'RollingUpdate',
            rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
          },
          template: {
            spec: {
              restartPolicy: 'Always',
              terminationGracePeriodSeconds: 30,
              dnsPolicy: 'ClusterFirst',
              containers: [
                {
                  imagePullPolicy: 'IfNotPresent',
                  ports: [{ containerPort: 8080, protocol: 'TCP' }],
                },
              ],
            },
          },
        },
      });
    });

    test('a Service gets an address and keeps it', async () => {
      const first = await apply(aService(namespace, 'address'));
      const second = await apply({
        ...aService(namespace, 'address'),
        metadata: { namespace, name: 'address', labels: { a: 'b' } },
      });

      expect(at(first, 'spec.clusterIP')).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(at(second, 'spec.clusterIP')).toBe(at(first, 'spec.clusterIP'));
    });

    test('stringData of a Secret becomes data', async () => {
      const stored = await apply({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace, name: 'secret' },
        stringData: { user: 'ann' },
      });

      expect(stored['data']).toEqual({ user: 'YW5u' });
      expect(stored['stringData']).toBeUndefined();
      expect(stored['type']).toBe('Opaque');
    });

    test('status is not written along', async () => {
      const object = {
        ...aDeployment(namespace, 'status', { replicas: 0 }),
        status: { readyReplicas: 7 },
      };

      const stored = await apply(object);

      expect(at(stored, 'status.readyReplicas')).toBeUndefined();
    });

    describe('generation', () => {
      test('of a Deployment starts at 1, grows with spec and annotations, not with labels or the same again', async () => {
        const name = 'generation';
        const generation = async (object: KubeObject): Promise<unknown> =>
          (await apply(object)).metadata.generation;
        const annotated = (image: string): KubeObject => {
          const object = aDeployment(namespace, name, { replicas: 0, image, labels: { a: 'b' } });
          return { ...object, metadata: { ...object.metadata, annotations: { note: 'x' } } };
        };

        expect(await generation(aDeployment(namespace, name, { replicas: 0 }))).toBe(1);
        expect(
          await generation(aDeployment(namespace, name, { replicas: 0, labels: { a: 'b' } })),
        ).toBe(1);
        // Deployments only: Kubernetes counts a changed annotation as a change that the controller must observe.
        expect(await generation(annotated('registry.example/app:1'))).toBe(2);
        expect(await generation(annotated('registry.example/app:2'))).toBe(3);
        expect(await generation(annotated('registry.example/app:2'))).toBe(3);
      });

      test('of a StatefulSet grows with the spec, not with annotations', async () => {
        const object = (replicas: number, annotations: object): KubeObject => ({
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata: { namespace, name: 'generation', annotations: { ...annotations } },
          spec: {
            replicas,
            serviceName: 'generation',
            selector: { matchLabels: { app: 'generation-set' } },
            template: podTemplate('generation-set'),
          },
        });

        expect((await apply(object(0, {}))).metadata.generation).toBe(1);
        expect((await apply(object(0, { note: 'x' }))).metadata.generation).toBe(1);
        expect((await apply(object(1, { note: 'x' }))).metadata.generation).toBe(2);
      });

      test('a ConfigMap has none', async () => {
        expect(
          (await apply(aConfigMap(namespace, 'no-generation'))).metadata.generation,
        ).toBeUndefined();
      });
    });

    describe('a dry run', () => {
      test('of a new object shows it and stores nothing', async () => {
        const shown = await apply(aDeployment(namespace, 'dry', { replicas: undefined }), {
          dryRun: true,
        });

        expect(at(shown, 'spec.replicas')).toBe(1);
        expect(
          await subject
            .client()
            .get({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'dry' }),
        ).toBeUndefined();
      });

      test('of a change shows it and leaves the object alone', async () => {
        const before = await apply(aConfigMap(namespace, 'dry-change', { key: '1' }));

        const shown = await apply(aConfigMap(namespace, 'dry-change', { key: '2' }), {
          dryRun: true,
        });

        expect(shown['data']).toEqual({ key: '2' });
        expect(
          await subject
            .client()
            .get({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'dry-change' }),
        ).toEqual(before);
      });

      test('finds conflicts', async () => {
        await apply(aConfigMap(namespace, 'dry-conflict', { key: '1' }), {
          fieldManager: 'somebody',
        });

        const error = await failureOf(
          apply(aConfigMap(namespace, 'dry-conflict', { key: '2' }), { dryRun: true }),
        );

        expect(error.failure).toBe('conflict');
      });
    });

    describe('refusals', () => {
      test.each([
        {
          name: 'an unknown field',
          object: () => ({ ...aConfigMap(namespace, 'bad'), colour: 'red' }),
        },
        {
          name: 'an unknown field deep inside',
          object: () => aDeployment(namespace, 'bad', { container: { imagee: 'x' } }),
        },
        {
          name: 'a value of the wrong type',
          object: () => ({ ...aConfigMap(namespace, 'bad'), data: { key: 1 } }),
        },
        { name: 'a name that is none', object: () => aConfigMap(namespace, 'Not_A_Name') },
        {
          name: 'a container without name',
          object: () => aDeployment(namespace, 'bad', { containers: [{ image: 'x' }] }),
        },
        {
          name: 'a selector that does not match the pods',
          object: () => ({
            ...aDeployment(namespace, 'bad'),
            spec: {
              ...(aDeployment(namespace, 'bad')['spec'] as object),
              selector: { matchLabels: { app: 'elsewhere' } },
            },
          }),
        },
        {
          name: 'a negative number of replicas',
          object: () => aDeployment(namespace, 'bad', { replicas: -1 }),
        },
        {
          name: 'a label value that is none',
          object: () => aConfigMap(namespace, 'bad', {}, { a: 'not valid!' }),
        },
      ])('$name is invalid, and nothing is stored', async ({ object }) => {
        const wanted = object() as unknown as KubeObject;

        const error = await failureOf(apply(wanted));

        expect(error.failure).toBe('invalid');
        expect(error.facts.mayHaveHappened).toBe(false);
        const { apiVersion, kind } = wanted;
        expect(
          await subject
            .client()
            .get({ apiVersion, kind, namespace, name: wanted.metadata.name ?? '' }),
        ).toBeUndefined();
      });

      test('a change of an immutable field is invalid and names the field', async () => {
        const object = aDeployment(namespace, 'immutable', { replicas: 0 });
        await apply(object);
        const changed = aDeployment(namespace, 'immutable', { replicas: 0 });
        const labels = { app: 'immutable', more: 'yes' };
        const spec = changed['spec'] as { template: { metadata: object } };

        const error = await failureOf(
          apply({
            ...changed,
            spec: {
              ...spec,
              selector: { matchLabels: labels },
              template: { ...spec.template, metadata: { labels } },
            },
          }),
        );

        expect(error.failure).toBe('invalid');
        expect(error.message).toContain('spec.selector');
      });

      test('a namespace that is missing is not found, and named', async () => {
        const absent = freshName('absent');

        const error = await failureOf(apply(aConfigMap(absent, 'a')));

        expect(error.failure).toBe('notFound');
        expect(error.message).toContain(absent);
      });

      test('a kind that is missing is not served', async () => {
        const error = await failureOf(
          apply({
            apiVersion: 'example.com/v1',
            kind: 'Nothing',
            metadata: { namespace, name: 'a' },
          }),
        );

        expect(error.failure).toBe('notServed');
        expect(error.message).toContain('Nothing');
      });

      test('a uid of another object is invalid: an object keeps its own', async () => {
        await apply(aConfigMap(namespace, 'uid'));
        const object = aConfigMap(namespace, 'uid', { key: '2' });

        const error = await failureOf(
          apply({
            ...object,
            metadata: { ...object.metadata, uid: '00000000-0000-0000-0000-000000000000' },
          }),
        );

        expect(error.failure).toBe('invalid');
        expect(error.message).toContain('metadata.uid');
      });

      test('a stale resource version is a conflict', async () => {
        const first = await apply(aConfigMap(namespace, 'stale', { key: '1' }));
        await apply(aConfigMap(namespace, 'stale', { key: '2' }));
        const object = aConfigMap(namespace, 'stale', { key: '3' });
        const { resourceVersion = '' } = first.metadata;

        const error = await failureOf(
          apply({ ...object, metadata: { ...object.metadata, resourceVersion } }),
        );

        expect(error.failure).toBe('conflict');
      });
    });
  });
}

/** When our manager last changed something. */
function ownedSince(object: KubeObject): unknown {
  const fields = object.metadata.managedFields as readonly {
    readonly manager: string;
    readonly time: string;
  }[];
  return fields.find(({ manager }) => manager === 'fleetwright')?.time;
}
