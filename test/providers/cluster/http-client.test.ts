import { describe, expect, test } from '@jest/globals';

import { A_CONFIG_MAP, CONFIG_MAP, withClient } from './a-client.js';
import { aStatus, type Answer } from './fake-api-server.js';

describe('a list', () => {
  const page = (names: readonly string[], next?: string): Answer => ({
    body: {
      metadata: { resourceVersion: '7', continue: next },
      items: names.map((name) => ({ metadata: { name } })),
    },
  });

  test('follows the pages', async () => {
    await withClient([page(['a'], 'token'), page(['b'])], async ({ client, server }) => {
      const objects = await client.list(CONFIG_MAP, {
        namespace: 'shop',
        labelSelector: 'tier=web',
      });

      expect(objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
      expect(objects[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
      expect(
        server.seen.map(({ query }) => [
          query.get('limit'),
          query.get('continue'),
          query.get('labelSelector'),
        ]),
      ).toEqual([
        ['500', null, 'tier=web'],
        ['500', 'token', 'tier=web'],
      ]);
    });
  });

  test('starts again in one piece when the page token expired', async () => {
    const answers = [
      page(['a'], 'token'),
      aStatus(410, 'Expired', 'too old'),
      page(['a', 'b', 'c']),
    ];
    await withClient(answers, async ({ client, server }) => {
      const objects = await client.list(CONFIG_MAP);

      expect(objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
      expect(server.seen.at(-1)?.query.get('limit')).toBeNull();
    });
  });
});

describe('an apply', () => {
  test('is strict, ours, and does not force', async () => {
    await withClient([{ body: A_CONFIG_MAP }], async ({ client, server }) => {
      await client.apply(A_CONFIG_MAP);

      const [sent] = server.seen;
      expect(sent?.path).toBe('/api/v1/namespaces/shop/configmaps/settings');
      expect(Object.fromEntries(sent?.query ?? [])).toEqual({
        fieldManager: 'fleetwright',
        fieldValidation: 'Strict',
      });
    });
  });

  test('that lost a race is sent again', async () => {
    const race = aStatus(409, 'Conflict', 'the object has been modified');
    await withClient([race, race, { body: A_CONFIG_MAP }], async ({ client, server }) => {
      await client.apply(A_CONFIG_MAP);

      expect(server.seen).toHaveLength(3);
    });
  });

  test('that conflicts is not', async () => {
    const conflict = aStatus(409, 'Conflict', 'Apply failed', {
      causes: [
        {
          reason: 'FieldManagerConflict',
          message: 'conflict with "kubectl" using v1',
          field: '.data.key',
        },
      ],
    });
    await withClient([conflict], async ({ client, server }) => {
      await expect(client.apply(A_CONFIG_MAP)).rejects.toMatchObject({
        failure: 'conflict',
        facts: { conflicts: [{ manager: 'kubectl', field: '.data.key' }] },
      });
      expect(server.seen).toHaveLength(1);
    });
  });

  test('of a Secret that is refused names fields and no value', async () => {
    const refused = aStatus(
      422,
      'Invalid',
      'Secret "s" is invalid: data[a]: Invalid value: "hunter2": no',
      {
        causes: [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: "hunter2": no',
            field: 'data[a]',
          },
        ],
      },
    );
    await withClient([refused], async ({ client }) => {
      const secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'shop', name: 's' },
        data: { a: 'hunter2' },
      };

      const error: unknown = await client.apply(secret).catch((thrown: unknown) => thrown);

      expect(error).toMatchObject({
        failure: 'invalid',
        message: 'eu-1: apply Secret shop/s: refused: data[a]',
      });
      expect(JSON.stringify(error)).not.toContain('hunter2');
    });
  });
});

describe('discovery', () => {
  const LEGACY: Readonly<Record<string, unknown>> = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': {
      kind: 'APIGroupList',
      groups: [
        { versions: [{ groupVersion: 'apps/v1' }] },
        { versions: [{ groupVersion: 'down/v1' }] },
      ],
    },
    '/api/v1': {
      resources: [
        { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get'] },
        { name: 'pods/log', kind: 'Pod', namespaced: true, verbs: ['get'] },
      ],
    },
    '/apis/apps/v1': {
      resources: [{ name: 'deployments', kind: 'Deployment', namespaced: true, verbs: ['get'] }],
    },
  };

  test('falls back to the lists of old servers; an API whose server is down hides no other', async () => {
    const answer = ({ path }: { path: string }): Answer => {
      const body = LEGACY[path];
      return body === undefined ? { status: 503 } : { body };
    };
    await withClient(answer, async ({ client }) => {
      expect(await client.discover()).toEqual([
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          resource: 'deployments',
          namespaced: true,
          verbs: ['get'],
        },
        { apiVersion: 'v1', kind: 'Pod', resource: 'pods', namespaced: true, verbs: ['get'] },
      ]);
    });
  });

  test('is read once for all requests that wait for it', async () => {
    let reads = 0;
    const answer = ({ path }: { path: string }): Answer => {
      if (path === '/api' || path === '/apis') reads += 1;
      return LEGACY[path] === undefined
        ? { status: 404, body: { kind: 'Status', details: { name: 'x' } } }
        : { body: LEGACY[path] };
    };
    await withClient(answer, async ({ client }) => {
      const ref = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'x' };
      await Promise.all(Array.from({ length: 20 }, () => client.get(ref)));

      expect(reads).toBe(2);
    });
  });

  test('is read again when a kind turns out to be gone', async () => {
    const answers = [{ status: 404, body: '404 page not found' }];
    await withClient(answers, async ({ client }) => {
      await expect(client.get(CONFIG_MAP)).rejects.toMatchObject({ failure: 'notServed' });
    });
  });
});
