import { describe, expect, test } from '@jest/globals';

import type { ClusterClient, WatchEvent } from '../../../lib/providers/cluster/index.js';
import { withClient } from './a-client.js';
import { aStatus, events, type Answer } from './fake-api-server.js';

const KIND = { apiVersion: 'v1', kind: 'ConfigMap' } as const;

function aList(resourceVersion: string, ...names: readonly string[]): Answer {
  return {
    body: {
      kind: 'ConfigMapList',
      metadata: { resourceVersion },
      items: names.map((name) => ({ metadata: { name } })),
    },
  };
}

function anEvent(type: string, name: string, resourceVersion: string): object {
  return {
    type,
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, resourceVersion } },
  };
}

/** The first `count` events as text; stops the watch then. */
async function take(client: ClusterClient, count: number): Promise<readonly string[]> {
  const stop = new AbortController();
  const texts: string[] = [];
  for await (const event of client.watch(KIND, {}, stop.signal)) {
    texts.push(describeEvent(event));
    if (texts.length === count) stop.abort();
  }
  return texts;
}

function describeEvent(event: WatchEvent): string {
  const objects = event.type === 'LISTED' ? event.objects : [event.object];
  return [event.type, ...objects.map(({ metadata }) => metadata.name)].join(' ');
}

describe('a watch', () => {
  test('asks for bookmarks, and goes on from the last one when the server ends it', async () => {
    const answers = [
      aList('10', 'a'),
      events(anEvent('ADDED', 'b', '11'), {
        type: 'BOOKMARK',
        object: { metadata: { resourceVersion: '50' } },
      }),
      events(anEvent('MODIFIED', 'a', '51')),
    ];
    await withClient(answers, async ({ client, server }) => {
      expect(await take(client, 3)).toEqual(['LISTED a', 'ADDED b', 'MODIFIED a']);

      const watches = server.seen.filter(({ query }) => query.get('watch') === 'true');
      expect(watches.map(({ query }) => query.get('resourceVersion'))).toEqual(['10', '50']);
      expect(watches.map(({ query }) => query.get('allowWatchBookmarks'))).toEqual([
        'true',
        'true',
      ]);
    });
  });

  test.each([
    {
      name: 'as an event',
      gone: events({
        type: 'ERROR',
        object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' },
      }),
    },
    { name: 'as the answer', gone: aStatus(410, 'Expired', 'too old') },
  ])('lists again after 410 Gone, $name', async ({ gone }) => {
    const answers = [
      aList('10', 'a'),
      gone,
      aList('90', 'a', 'b'),
      events(anEvent('ADDED', 'c', '91')),
    ];
    await withClient(answers, async ({ client, server, pauses }) => {
      expect(await take(client, 3)).toEqual(['LISTED a', 'LISTED a b', 'ADDED c']);

      expect(server.seen.at(3)?.query.get('resourceVersion')).toBe('90');
      expect(pauses).toEqual([]);
    });
  });

  test('lists again after a stream that broke in the middle of an event', async () => {
    const broken: Answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write(`${JSON.stringify(anEvent('ADDED', 'b', '11'))}\n{"type":"ADD`, () =>
        response.destroy(),
      );
    };
    await withClient(
      [aList('10', 'a'), broken, aList('20', 'a', 'b', 'c'), events()],
      async ({ client }) => {
        expect(await take(client, 3)).toEqual(['LISTED a', 'ADDED b', 'LISTED a b c']);
      },
    );
  });

  test('does not ask without pause what ends every watch at once', async () => {
    const answers = [aList('10'), events(), events(), events(anEvent('ADDED', 'a', '11'))];
    await withClient(answers, async ({ client, pauses }) => {
      expect(await take(client, 2)).toEqual(['LISTED', 'ADDED a']);

      expect(pauses).toHaveLength(2);
    });
  });

  test('that may not be opened fails and names the verb', async () => {
    const forbidden = aStatus(
      403,
      'Forbidden',
      'configmaps is forbidden: User "ann" cannot watch resource "configmaps"',
    );
    await withClient([aList('10'), forbidden], async ({ client }) => {
      await expect(take(client, 2)).rejects.toMatchObject({
        failure: 'forbidden',
        facts: { cluster: 'eu-1', verb: 'watch' },
      });
    });
  });

  test('gives up on a cluster that stays away for too long', async () => {
    const answers = [aList('10'), aStatus(500, 'InternalError', 'boom')];
    const watch = { sessionSeconds: 290, idleMs: 1000, patienceMs: 5_000 };
    await withClient(
      answers,
      async ({ client, pauses }) => {
        await expect(take(client, 2)).rejects.toMatchObject({ failure: 'server' });

        expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(5_000);
      },
      { watch },
    );
  });

  test('ends when its reader stops, and closes the connection', async () => {
    let closed = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const endless: Answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write(`${JSON.stringify(anEvent('ADDED', 'b', '11'))}\n`);
      response.on('close', closed);
    };
    await withClient([aList('10'), endless], async ({ client }) => {
      for await (const event of client.watch(KIND, {}, new AbortController().signal))
        if (event.type === 'ADDED') break;

      await isClosed;
    });
  });
});
