import { describe, expect, test } from '@jest/globals';

import type { Credential } from '../../../lib/providers/cluster/credentials.js';
import { ProviderError } from '../../../lib/providers/cluster/index.js';
import { openTransport, STEADY_CLOCK } from '../../../lib/providers/cluster/transport.js';
import { A_CONFIG_MAP, CONFIG_MAP, withClient } from './a-client.js';
import { aClock, aStatus, blackHole, reset, startFakeApiServer } from './fake-api-server.js';

const OK = { body: A_CONFIG_MAP };
const TOO_MANY = { status: 429, headers: { 'Retry-After': '2' } };

async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!ProviderError.is(error)) throw new Error('expected a ProviderError', { cause: error });
  return error;
}

describe('a server that is busy', () => {
  test('is asked again after as long as it wants', async () => {
    await withClient([TOO_MANY, TOO_MANY, OK], async ({ client, server, pauses }) => {
      expect(await client.get(CONFIG_MAP)).toEqual(A_CONFIG_MAP);

      expect(server.seen).toHaveLength(3);
      expect(pauses).toEqual([2000, 2000]);
    });
  });

  test('is asked again after growing pauses when it does not say', async () => {
    await withClient(
      [aStatus(503, 'ServiceUnavailable', 'later'), { status: 502, body: '<html>' }, OK],
      async ({ client, pauses }) => {
        expect(await client.apply(A_CONFIG_MAP)).toEqual(A_CONFIG_MAP);

        expect(pauses).toEqual([50, 100]);
      },
    );
  });

  test('is given up after six attempts', async () => {
    await withClient([{ status: 429 }], async ({ client, server }) => {
      const error = await failureOf(client.apply(A_CONFIG_MAP));

      expect(error.failure).toBe('throttled');
      expect(error.facts.mayHaveHappened).toBe(false);
      expect(server.seen).toHaveLength(6);
    });
  });

  test('is not waited for beyond the deadline', async () => {
    await withClient(
      [{ status: 429, headers: { 'Retry-After': '60' } }],
      async ({ client, pauses }) => {
        expect((await failureOf(client.get(CONFIG_MAP))).failure).toBe('throttled');

        expect(pauses).toEqual([]);
      },
      { deadlineMs: 5_000 },
    );
  });

  test('that fails for good is not asked again', async () => {
    await withClient([aStatus(500, 'InternalError', 'boom')], async ({ client, server }) => {
      const error = await failureOf(client.apply(A_CONFIG_MAP));

      expect(error.failure).toBe('server');
      expect(error.facts.mayHaveHappened).toBe(true);
      expect(error.message).toBe('eu-1: apply ConfigMap shop/settings: boom');
      expect(server.seen).toHaveLength(1);
    });
  });
});

describe('a connection that breaks in the middle of the answer', () => {
  test('is made again for an apply, which may be sent twice', async () => {
    await withClient([reset(), OK], async ({ client, server }) => {
      expect(await client.apply(A_CONFIG_MAP)).toEqual(A_CONFIG_MAP);

      expect(server.seen.map(({ method, body }) => [method, JSON.parse(body) as unknown])).toEqual([
        ['PATCH', A_CONFIG_MAP],
        ['PATCH', A_CONFIG_MAP],
      ]);
    });
  });

  test('tells, when it never gets better, that the apply may have happened', async () => {
    await withClient([reset()], async ({ client, server }) => {
      const error = await failureOf(client.apply(A_CONFIG_MAP));

      expect(error.failure).toBe('unreachable');
      expect(error.facts.mayHaveHappened).toBe(true);
      expect(server.seen).toHaveLength(6);
    });
  });

  test('after a delete that worked, the second one finds nothing: it was deleted', async () => {
    const gone = aStatus(404, 'NotFound', 'gone', { name: 'settings', kind: 'configmaps' });
    await withClient([reset(), gone], async ({ client }) => {
      expect(await client.delete(CONFIG_MAP)).toBe('deleted');
    });
  });

  test('is not made again for a request that must not be sent twice', async () => {
    const server = await startFakeApiServer([reset()]);
    const credentials = {
      current: () => Promise.resolve({ headers: {}, tls: {} }),
      renew: () => false,
    };
    const transport = openTransport({ server: server.url, credentials, clock: aClock() });

    const sending = transport.request({ method: 'POST', path: '/x', idempotent: false });

    await expect(sending).rejects.toMatchObject({ kind: 'unreachable', mayHaveHappened: true });
    expect(server.seen).toHaveLength(1);
    await transport.close();
    await server.close();
  });
});

describe('a cluster that does not answer', () => {
  test.each([
    { verb: 'get' as const, mayHaveHappened: false },
    { verb: 'apply' as const, mayHaveHappened: true },
  ])('costs its deadline: $verb', async ({ verb, mayHaveHappened }) => {
    await withClient(
      [blackHole],
      async ({ client }) => {
        const error = await failureOf(
          verb === 'get' ? client.get(CONFIG_MAP) : client.apply(A_CONFIG_MAP),
        );

        expect(error.failure).toBe('timeout');
        expect(error.facts.mayHaveHappened).toBe(mayHaveHappened);
        expect(error.message).toContain('eu-1');
      },
      { deadlineMs: 150 },
    );
  });

  test('refuses connections: unreachable, and nothing happened', async () => {
    const server = await startFakeApiServer([OK]);
    await server.close();
    const clock = aClock();

    await withClient(
      [OK],
      async ({ client }) => {
        const error = await failureOf(client.apply(A_CONFIG_MAP));

        expect(error.failure).toBe('unreachable');
        expect(error.facts.mayHaveHappened).toBe(false);
        expect(error.message).toBe('eu-1: apply ConfigMap shop/settings: connection refused');
        // Both requests of discovery, six attempts each.
        expect(clock.pauses).toHaveLength(10);
      },
      { server: server.url, clock },
    );
  });
});

describe('credentials', () => {
  const byToken = (valid: string) => (seen: { authorization: string | undefined; path: string }) =>
    seen.authorization === `Bearer ${valid}`
      ? { body: { path: seen.path } }
      : aStatus(401, 'Unauthorized', 'Unauthorized');

  /** Gives the first token until it is renewed. */
  const renewable = (tokens: readonly string[]) => {
    const made = tokens.map((token) => ({
      headers: { Authorization: `Bearer ${token}` },
      tls: {},
    }));
    let index = 0;
    return {
      renewals: () => index,
      current: () => Promise.resolve(made[index] ?? { headers: {}, tls: {} }),
      renew: (used: object) => {
        if (used === made[index]) index += 1;
        return true;
      },
    };
  };

  test('that expired are renewed once for all requests that were refused together', async () => {
    const credentials = renewable(['old', 'new']);
    await withClient(
      byToken('new'),
      async ({ client }) => {
        const paths = Array.from({ length: 32 }, (_, index) => `/thing/${index}`);
        const answers = await Promise.all(paths.map((path) => client.raw(path)));

        expect(answers).toEqual(paths.map((path) => ({ path })));
        expect(credentials.renewals()).toBe(1);
      },
      { credentials },
    );
  });

  test('that stay refused are unauthorized after one renewal', async () => {
    const credentials = renewable(['old', 'also-old', 'never-asked']);
    await withClient(
      byToken('new'),
      async ({ client, server }) => {
        const error = await failureOf(client.raw('/version'));

        expect(error.failure).toBe('unauthorized');
        expect(error.message).not.toContain('old');
        expect(server.seen).toHaveLength(2);
      },
      { credentials },
    );
  });
});

test('many requests share sixteen connections and keep them', async () => {
  await withClient(
    (seen) => ({ body: { path: seen.path } }),
    async ({ client, server }) => {
      const round = (): Promise<unknown> =>
        Promise.all(Array.from({ length: 100 }, (_, index) => client.raw(`/thing/${index}`)));
      await round();
      await round();

      expect(server.seen).toHaveLength(200);
      expect(server.connections()).toBe(16);
    },
  );
});

test('a client that was closed opens nothing more', async () => {
  let grant = (): void => undefined;
  const granted = new Promise<void>((resolve) => (grant = resolve));
  const current = (): Promise<Credential> => granted.then(() => ({ headers: {}, tls: {} }));
  const credentials = { current, renew: () => false };
  await withClient(
    [OK],
    async ({ client, server }) => {
      const waiting = failureOf(client.raw('/version'));
      await client.close();
      grant();

      expect((await waiting).failure).toBe('aborted');
      expect(server.connections()).toBe(0);
    },
    { credentials },
  );
});

test('a pause ends when it is aborted, and at once when it was before', async () => {
  const stop = new AbortController();
  const pauses = [
    STEADY_CLOCK.sleep(60_000, stop.signal),
    STEADY_CLOCK.sleep(60_000, AbortSignal.abort()),
  ];
  stop.abort();

  expect(await Promise.all(pauses)).toEqual([undefined, undefined]);
});
