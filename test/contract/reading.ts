import { beforeAll, describe, expect, test } from '@jest/globals';

import { aConfigMap } from './objects.js';
import { at, failureOf, freshNamespace, SLOW, type Subject } from './subject.js';

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' } as const;

export function reading(subject: Subject): void {
  describe('reading', () => {
    let namespace: string;
    let other: string;
    beforeAll(async () => {
      const client = subject.client();
      namespace = await freshNamespace(client);
      other = await freshNamespace(client);
      await Promise.all([
        client.apply(aConfigMap(namespace, 'b', { key: 'b' }, { tier: 'web', track: 'new' })),
        client.apply(aConfigMap(namespace, 'a', { key: 'a' }, { tier: 'web' })),
        client.apply(aConfigMap(namespace, 'c', { key: 'c' }, { tier: 'db' })),
        client.apply(aConfigMap(other, 'a', { key: 'other' }, { tier: 'web', suite: namespace })),
      ]);
    }, SLOW);

    const names = async (labelSelector?: string): Promise<readonly unknown[]> => {
      const options = { namespace, ...(labelSelector !== undefined && { labelSelector }) };
      const objects = await subject.client().list(CONFIG_MAP, options);
      // A real cluster's controllers add one to every namespace.
      return objects
        .map((object) => object.metadata.name)
        .filter((name) => name !== 'kube-root-ca.crt');
    };

    test('discovery knows scope, plural and verbs of the built-in kinds, sorted, without subresources', async () => {
      const kinds = await subject.client().discover();

      const find = (kind: string): unknown => kinds.find((served) => served.kind === kind);
      expect(find('Deployment')).toMatchObject({
        apiVersion: 'apps/v1',
        resource: 'deployments',
        namespaced: true,
      });
      expect(find('Namespace')).toMatchObject({
        apiVersion: 'v1',
        resource: 'namespaces',
        namespaced: false,
      });
      expect(at(find('ConfigMap'), 'verbs')).toEqual(
        expect.arrayContaining(['delete', 'get', 'list', 'patch', 'watch']),
      );
      expect(kinds.filter((served) => served.resource.includes('/'))).toEqual([]);
      const keys = kinds.map((served) =>
        [served.apiVersion, served.kind, served.resource].join('\0'),
      );
      expect(keys).toEqual([...keys].sort());
    });

    test('the version is a raw document', async () => {
      expect(at(await subject.client().raw('/version'), 'gitVersion')).toMatch(/^v1\.\d+\.\d+/);
    });

    test('an object has its type, identity and data', async () => {
      const object = await subject.client().get({ ...CONFIG_MAP, namespace, name: 'a' });

      expect(object).toMatchObject({
        ...CONFIG_MAP,
        metadata: { namespace, name: 'a', labels: { tier: 'web' } },
        data: { key: 'a' },
      });
      expect(object?.metadata.uid).toEqual(expect.any(String));
      expect(object?.metadata.resourceVersion).toEqual(expect.any(String));
      expect(object?.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    });

    test.each([
      { name: 'an absent object', of: () => namespace },
      { name: 'an object in an absent namespace', of: () => 'no-such-namespace' },
    ])('$name is undefined', async ({ of }) => {
      expect(
        await subject.client().get({ ...CONFIG_MAP, namespace: of(), name: 'absent' }),
      ).toBeUndefined();
    });

    test('a list of one namespace is sorted by name, each item with its type', async () => {
      expect(await names()).toEqual(['a', 'b', 'c']);
      const [first] = await subject.client().list(CONFIG_MAP, { namespace });
      expect(first).toMatchObject(CONFIG_MAP);
    });

    test('a list without namespace spans all of them', async () => {
      const objects = await subject.client().list(CONFIG_MAP);

      const found = objects.map((object) => `${object.metadata.namespace}/${object.metadata.name}`);
      expect(found).toEqual(expect.arrayContaining([`${namespace}/a`, `${other}/a`]));
    });

    test('a list of an absent namespace is empty', async () => {
      expect(await subject.client().list(CONFIG_MAP, { namespace: 'no-such-namespace' })).toEqual(
        [],
      );
    });

    test.each([
      { selector: 'tier=web', chosen: ['a', 'b'] },
      { selector: 'tier==db', chosen: ['c'] },
      { selector: 'tier!=web', chosen: ['c'] },
      { selector: 'tier in (web,db),track=new', chosen: ['b'] },
      { selector: 'tier notin (db)', chosen: ['a', 'b'] },
      { selector: 'track', chosen: ['b'] },
      { selector: 'tier,!track', chosen: ['a', 'c'] },
      { selector: 'tier=none', chosen: [] },
    ])('label selector $selector', async ({ selector, chosen }) => {
      expect(await names(selector)).toEqual(chosen);
    });

    test('a malformed label selector is invalid', async () => {
      expect((await failureOf(names('tier in web'))).failure).toBe('invalid');
    });

    test(
      'a list of more than one page is complete',
      async () => {
        const many = await freshNamespace(subject.client());
        const wanted = Array.from(
          { length: 620 },
          (_, index) => `item-${String(index).padStart(3, '0')}`,
        );
        await Promise.all(wanted.map((name) => subject.client().apply(aConfigMap(many, name))));

        const objects = await subject.client().list(CONFIG_MAP, { namespace: many });

        const found = objects
          .map((object) => object.metadata.name)
          .filter((name) => name?.startsWith('item-'));
        expect(found).toEqual(wanted);
      },
      SLOW,
    );
  });
}
