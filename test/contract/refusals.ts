import { describe, expect, test } from '@jest/globals';

import type { ClusterClient } from '../../lib/providers/cluster/index.js';
import { aConfigMap } from './objects.js';
import { failureOf, type Subject } from './subject.js';

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' } as const;
const REF = { ...CONFIG_MAP, namespace: 'default', name: 'a' } as const;

const VERBS: readonly { verb: string; act: (client: ClusterClient) => Promise<unknown> }[] = [
  { verb: 'get', act: (client) => client.get(REF) },
  { verb: 'list', act: (client) => client.list(CONFIG_MAP, { namespace: 'default' }) },
  { verb: 'patch', act: (client) => client.apply(aConfigMap('default', 'a')) },
  { verb: 'delete', act: (client) => client.delete(REF) },
  {
    verb: 'list',
    act: (client) =>
      client.watch(CONFIG_MAP, {}, new AbortController().signal)[Symbol.asyncIterator]().next(),
  },
];

export function refusals(subject: Subject): void {
  describe('credentials', () => {
    test('that the server does not know are unauthorized, and appear nowhere', async () => {
      const client = await subject.nobody();

      const error = await failureOf(client.get(REF));

      expect(error.failure).toBe('unauthorized');
      expect(JSON.stringify([error.message, error.facts, error.stack])).not.toContain(
        'no-such-token',
      );
      await client.close();
    });

    const { viewer } = subject;
    if (viewer === undefined) return;
    test.each(VERBS)(
      'without rights are forbidden, and the missing verb is named: $verb',
      async ({ verb, act }) => {
        const client = await viewer();

        const error = await failureOf(act(client));

        expect(error.failure).toBe('forbidden');
        expect(error.facts.verb).toBe(verb);
        expect(error.message).toContain(`cannot ${verb} resource "configmaps"`);
        await client.close();
      },
    );
  });
}
