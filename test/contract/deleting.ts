import { beforeAll, describe, expect, test } from '@jest/globals';

import type { KubeObject } from '../../lib/api/object.js';
import { aConfigMap, aDeployment } from './objects.js';
import {
  failureOf,
  freshNamespace,
  SLOW,
  until,
  untilAbsent,
  untilObject,
  type Subject,
} from './subject.js';

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' } as const;
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' } as const;

export function deleting(subject: Subject): void {
  describe('deleting', () => {
    let namespace: string;
    beforeAll(async () => {
      namespace = await freshNamespace(subject.client());
    }, SLOW);

    test('what is there is deleted, and the second time absent', async () => {
      const client = subject.client();
      await client.apply(aConfigMap(namespace, 'twice'));
      const ref = { ...CONFIG_MAP, namespace, name: 'twice' };

      expect(await client.delete(ref)).toBe('deleted');
      expect(await client.get(ref)).toBeUndefined();
      expect(await client.delete(ref)).toBe('absent');
    });

    test('with the uid of another object nothing is deleted', async () => {
      const client = subject.client();
      const { uid = '' } = (await client.apply(aConfigMap(namespace, 'uid'))).metadata;
      const ref = { ...CONFIG_MAP, namespace, name: 'uid' };

      const error = await failureOf(
        client.delete(ref, { uid: '00000000-0000-0000-0000-000000000000' }),
      );

      expect(error.failure).toBe('conflict');
      expect(await client.get(ref)).toBeDefined();
      expect(await client.delete(ref, { uid })).toBe('deleted');
    });

    test('an object with a finalizer stays until the finalizer goes', async () => {
      const client = subject.client();
      const bare = aConfigMap(namespace, 'finalizer');
      const held: KubeObject = {
        ...bare,
        metadata: { ...bare.metadata, finalizers: ['example.com/hold'] },
      };
      await client.apply(held);
      const ref = { ...CONFIG_MAP, namespace, name: 'finalizer' };

      expect(await client.delete(ref)).toBe('deleted');
      expect((await client.get(ref))?.metadata.deletionTimestamp).toEqual(expect.any(String));
      await client.apply(bare);
      expect(await client.get(ref)).toBeUndefined();
    });

    test(
      'a Deployment takes its ReplicaSets and pods along',
      async () => {
        const client = subject.client();
        const space = await freshNamespace(client);
        await client.apply(aDeployment(space, 'web', { replicas: 2 }));
        await until(client, { apiVersion: 'v1', kind: 'Pod' }, space, (pods) =>
          pods.length === 2 ? true : undefined,
        );

        await client.delete({ ...DEPLOYMENT, namespace: space, name: 'web' });

        const none = (objects: readonly unknown[]): true | undefined =>
          objects.length === 0 ? true : undefined;
        await until(client, { apiVersion: 'apps/v1', kind: 'ReplicaSet' }, space, none);
        await until(client, { apiVersion: 'v1', kind: 'Pod' }, space, none);
        expect(await client.get({ ...DEPLOYMENT, namespace: space, name: 'web' })).toBeUndefined();
      },
      SLOW,
    );

    test(
      'a namespace takes all that is in it along',
      async () => {
        const client = subject.client();
        const space = await freshNamespace(client);
        await client.apply(aConfigMap(space, 'inside'));
        const ref = { apiVersion: 'v1', kind: 'Namespace', name: space };

        expect(await client.delete(ref)).toBe('deleted');
        await untilAbsent(client, ref);

        expect(
          await client.get({ ...CONFIG_MAP, namespace: space, name: 'inside' }),
        ).toBeUndefined();
        expect((await failureOf(client.apply(aConfigMap(space, 'inside')))).failure).toBe(
          'notFound',
        );
      },
      SLOW,
    );

    test(
      'a namespace that is going takes nothing new',
      async () => {
        const client = subject.client();
        const space = await freshNamespace(client);
        const bare = aConfigMap(space, 'hold');
        await client.apply({
          ...bare,
          metadata: { ...bare.metadata, finalizers: ['example.com/hold'] },
        });
        const ref = { apiVersion: 'v1', kind: 'Namespace', name: space };
        await client.delete(ref);
        await untilObject(client, ref, (object) => object.metadata.deletionTimestamp !== undefined);

        const error = await failureOf(client.apply(aConfigMap(space, 'new')));

        expect(error.failure).toBe('conflict');
        expect(error.message).toContain('terminated');
        // Changing what is still there goes on working; it lets the namespace go.
        await client.apply(bare);
        await untilAbsent(client, ref);
      },
      SLOW,
    );
  });
}
