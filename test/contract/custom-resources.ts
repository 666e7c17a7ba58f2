import { beforeAll, describe, expect, test } from '@jest/globals';

import { aWidget, aWidgetDefinition } from './objects.js';
import {
  at,
  failureOf,
  freshName,
  freshNamespace,
  SLOW,
  untilAbsent,
  untilObject,
  type Subject,
} from './subject.js';

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
} as const;

export function customResources(subject: Subject): void {
  describe('custom resources', () => {
    let namespace: string;
    const group = `${freshName('group')}.example.com`;
    const kind = { apiVersion: `${group}/v1`, kind: 'Widget' } as const;

    beforeAll(async () => {
      const client = subject.client();
      namespace = await freshNamespace(client);
      await define(subject, group);
    }, SLOW);

    test(
      'a kind that we define is found as soon as it is served',
      async () => {
        const client = subject.client();
        const fresh = `${freshName('group')}.example.com`;
        const ref = { apiVersion: `${fresh}/v1`, kind: 'Widget', namespace, name: 'a' };
        expect((await failureOf(client.get(ref))).failure).toBe('notServed');

        await define(subject, fresh);

        expect(await client.get(ref)).toBeUndefined();
        const created = await client.apply(aWidget(fresh, namespace, 'a', { size: 1 }));
        expect(created).toMatchObject({
          kind: 'Widget',
          metadata: { generation: 1 },
          spec: { size: 1, color: 'grey' },
        });
      },
      SLOW,
    );

    test('discovery tells scope and plural', async () => {
      const kinds = await subject.client().discover({ refresh: true });

      expect(kinds.filter((served) => served.apiVersion === kind.apiVersion)).toEqual([
        expect.objectContaining({ kind: 'Widget', resource: 'widgets', namespaced: true }),
      ]);
    });

    test('the generation follows the spec', async () => {
      const client = subject.client();
      const first = await client.apply(aWidget(group, namespace, 'generation', { size: 1 }));
      const widget = aWidget(group, namespace, 'generation', { size: 1 });
      const labelled = await client.apply({
        ...widget,
        metadata: { ...widget.metadata, labels: { a: 'b' } },
      });
      const resized = await client.apply(aWidget(group, namespace, 'generation', { size: 2 }));

      expect([first, labelled, resized].map((object) => object.metadata.generation)).toEqual([
        1, 1, 2,
      ]);
    });

    test('lists merge as the schema says: by key, or as a whole', async () => {
      const client = subject.client();
      const theirs = { size: 1, parts: [{ name: 'wheel', weight: 2 }], tags: ['x'] };
      await client.apply(aWidget(group, namespace, 'merge', theirs), { fieldManager: 'other' });

      const stored = await client.apply(
        aWidget(group, namespace, 'merge', { size: 1, parts: [{ name: 'door', weight: 3 }] }),
      );
      const error = await failureOf(
        client.apply(aWidget(group, namespace, 'merge', { size: 1, tags: ['y'] })),
      );

      expect(at(stored, 'spec.parts')).toEqual([
        { name: 'wheel', weight: 2 },
        { name: 'door', weight: 3 },
      ]);
      expect(error.facts.conflicts).toEqual([{ manager: 'other', field: '.spec.tags' }]);
    });

    test.each([
      { name: 'an unknown field', spec: { size: 1, shape: 'round' } },
      { name: 'a wrong type', spec: { size: 'large' } },
      { name: 'a missing field', spec: { color: 'red' } },
      { name: 'a value below the minimum', spec: { size: 0 } },
    ])('$name is invalid', async ({ spec }) => {
      const error = await failureOf(subject.client().apply(aWidget(group, namespace, 'bad', spec)));

      expect(error.failure).toBe('invalid');
    });

    test(
      'deleting the definition deletes its objects and the kind',
      async () => {
        const client = subject.client();
        const fresh = `${freshName('group')}.example.com`;
        await define(subject, fresh);
        await client.apply(aWidget(fresh, namespace, 'a', { size: 1 }));
        const ref = { ...DEFINITION, name: `widgets.${fresh}` };

        expect(await client.delete(ref)).toBe('deleted');
        await untilAbsent(client, ref);

        // The server's handlers learn of it a moment after watchers do; each turn asks it anew.
        const gone = { apiVersion: `${fresh}/v1`, kind: 'Widget' };
        const isListed = (): Promise<boolean> =>
          client.list(gone).then(
            () => true,
            () => false,
          );
        while (await isListed()) continue;
        expect((await failureOf(client.list(gone))).failure).toBe('notServed');
      },
      SLOW,
    );
  });
}

/** Applies the definition and waits until it is established. */
async function define(subject: Subject, group: string): Promise<void> {
  const client = subject.client();
  await client.apply(aWidgetDefinition(group));
  const ref = { ...DEFINITION, name: `widgets.${group}` };
  await untilObject(client, ref, (object) => {
    const conditions = (at(object, 'status.conditions') ?? []) as readonly {
      type: string;
      status: string;
    }[];
    return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  });
}
