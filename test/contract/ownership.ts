import { beforeAll, describe, expect, test } from '@jest/globals';

import type { KubeObject } from '../../lib/api/object.js';
import type { ApplyOptions } from '../../lib/providers/cluster/index.js';
import { aConfigMap, aDeployment, aDeploymentPart } from './objects.js';
import { at, failureOf, freshNamespace, managersOf, SLOW, type Subject } from './subject.js';

const OTHER = { fieldManager: 'other' } as const;

export function ownership(subject: Subject): void {
  describe('ownership of fields', () => {
    let namespace: string;
    beforeAll(async () => {
      namespace = await freshNamespace(subject.client());
    }, SLOW);

    const apply = (object: KubeObject, options?: ApplyOptions): Promise<KubeObject> =>
      subject.client().apply(object, options);
    /** What another manager says about pods of our Deployment. */
    const part = (name: string, podSpec: object): KubeObject =>
      aDeploymentPart(namespace, name, { template: { spec: podSpec } });

    test('a conflict names manager and field, and changes nothing', async () => {
      const before = await apply(aConfigMap(namespace, 'conflict', { a: '1', b: '1' }), OTHER);

      const error = await failureOf(
        apply(aConfigMap(namespace, 'conflict', { a: '2', b: '2', c: '2' })),
      );

      expect(error.failure).toBe('conflict');
      expect(error.facts.conflicts).toEqual([
        { manager: 'other', field: '.data.a' },
        { manager: 'other', field: '.data.b' },
      ]);
      expect(error.message).toContain('conflict with "other" on .data.a');
      expect(
        await subject
          .client()
          .get({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'conflict' }),
      ).toEqual(before);
    });

    test('with force the field changes hands', async () => {
      await apply(aConfigMap(namespace, 'force', { a: '1', b: '1' }), OTHER);

      const stored = await apply(aConfigMap(namespace, 'force', { a: '2' }), { force: true });

      expect(stored['data']).toEqual({ a: '2', b: '1' });
      const back = await failureOf(
        apply(aConfigMap(namespace, 'force', { a: '1', b: '1' }), OTHER),
      );
      expect(back.facts.conflicts).toEqual([{ manager: 'fleetwright', field: '.data.a' }]);
    });

    test('the same value is shared; a shared field stays when one of two lets go', async () => {
      await apply(aConfigMap(namespace, 'shared', { a: '1' }), OTHER);
      const both = await apply(aConfigMap(namespace, 'shared', { a: '1', b: '1' }));
      expect(managersOf(both)).toEqual(['fleetwright/Apply', 'other/Apply']);

      const left = await apply(aConfigMap(namespace, 'shared', { b: '1' }));

      expect(left['data']).toEqual({ a: '1', b: '1' });
    });

    test('a manager that applies nothing lets go of everything', async () => {
      await apply(aConfigMap(namespace, 'leave', { a: '1' }), OTHER);
      await apply(aConfigMap(namespace, 'leave', { b: '1' }));

      const left = await apply({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace, name: 'leave' },
      });

      expect(left['data']).toEqual({ a: '1' });
      expect(managersOf(left)).toEqual(['other/Apply']);
    });

    test('labels and annotations are owned one by one', async () => {
      await apply(aConfigMap(namespace, 'labels', { key: 'same' }, { theirs: '1' }), OTHER);

      const stored = await apply(aConfigMap(namespace, 'labels', { key: 'same' }, { ours: '1' }));

      expect(stored.metadata.labels).toEqual({ ours: '1', theirs: '1' });
    });

    test('containers merge by name: a sidecar of another manager survives our applies', async () => {
      await apply(aDeployment(namespace, 'sidecar', { replicas: 0 }));
      await apply(
        part('sidecar', { containers: [{ name: 'proxy', image: 'registry.example/proxy:1' }] }),
        OTHER,
      );

      const stored = await apply(
        aDeployment(namespace, 'sidecar', { replicas: 0, image: 'registry.example/app:2' }),
      );

      const containers = at(stored, 'spec.template.spec.containers') as readonly {
        name: string;
        image: string;
      }[];
      expect(containers.map(({ name, image }) => [name, image])).toEqual([
        ['app', 'registry.example/app:2'],
        ['proxy', 'registry.example/proxy:1'],
      ]);
    });

    test('a conflict inside a container names it by its key', async () => {
      await apply(aDeployment(namespace, 'keyed', { replicas: 0 }), OTHER);

      const error = await failureOf(
        apply(aDeployment(namespace, 'keyed', { replicas: 2, image: 'registry.example/app:2' })),
      );

      expect(error.facts.conflicts).toEqual([
        { manager: 'other', field: '.spec.replicas' },
        { manager: 'other', field: '.spec.template.spec.containers[name="app"].image' },
      ]);
    });

    test('environment variables merge by name, ports by number and protocol', async () => {
      const ours = {
        env: [{ name: 'A', value: '1' }],
        ports: [{ containerPort: 53, protocol: 'TCP' }],
      };
      await apply(aDeployment(namespace, 'lists', { replicas: 0, container: ours }));
      const theirs = {
        name: 'app',
        env: [{ name: 'B', value: '2' }],
        ports: [{ containerPort: 53, protocol: 'UDP' }],
      };
      await apply(part('lists', { containers: [theirs] }), OTHER);

      const stored = await apply(
        aDeployment(namespace, 'lists', {
          replicas: 0,
          container: { ...ours, env: [{ name: 'A', value: '3' }] },
        }),
      );

      expect(at(stored, 'spec.template.spec.containers.0.env')).toEqual([
        { name: 'A', value: '3' },
        { name: 'B', value: '2' },
      ]);
      expect(at(stored, 'spec.template.spec.containers.0.ports')).toEqual([
        { containerPort: 53, protocol: 'TCP' },
        { containerPort: 53, protocol: 'UDP' },
      ]);
    });

    test('an atomic list belongs to one manager as a whole', async () => {
      await apply(
        aDeployment(namespace, 'atomic', { replicas: 0, container: { args: ['one', 'two'] } }),
      );

      const error = await failureOf(
        apply(part('atomic', { containers: [{ name: 'app', args: ['three'] }] }), OTHER),
      );

      expect(error.facts.conflicts).toEqual([
        { manager: 'fleetwright', field: '.spec.template.spec.containers[name="app"].args' },
      ]);
    });

    test('an atomic map belongs to one manager as a whole', async () => {
      await apply(
        aDeployment(namespace, 'atomic-map', {
          replicas: 0,
          podSpec: { nodeSelector: { disk: 'ssd' } },
        }),
      );

      const error = await failureOf(
        apply(part('atomic-map', { nodeSelector: { zone: 'a' } }), OTHER),
      );

      expect(error.facts.conflicts).toEqual([
        { manager: 'fleetwright', field: '.spec.template.spec.nodeSelector' },
      ]);
    });

    test('a set is joined, what is new behind what is there', async () => {
      const finalizers = (name: string): KubeObject => {
        const object = aConfigMap(namespace, 'set');
        return { ...object, metadata: { ...object.metadata, finalizers: [name] } };
      };
      await apply(finalizers('example.com/theirs'), OTHER);

      const stored = await apply(finalizers('example.com/ours'));

      expect(stored.metadata.finalizers).toEqual(['example.com/theirs', 'example.com/ours']);
      const bare = aConfigMap(namespace, 'set');
      await apply(bare);
      expect((await apply(bare, OTHER)).metadata.finalizers).toBeUndefined();
    });

    test('a field that is handed over keeps its value', async () => {
      await apply(aDeployment(namespace, 'handover', { replicas: 0 }));
      await apply(aDeploymentPart(namespace, 'handover', { replicas: 0 }), {
        fieldManager: 'autoscaler',
      });

      const stored = await apply(aDeployment(namespace, 'handover', { replicas: undefined }));

      expect(at(stored, 'spec.replicas')).toBe(0);
    });
  });
}
