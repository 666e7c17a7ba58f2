import { beforeEach, describe, expect, test } from '@jest/globals';

import type { WatchEvent } from '../../lib/providers/cluster/index.js';
import { aConfigMap, aDeployment } from './objects.js';
import { at, failureOf, freshNamespace, SLOW, type Subject } from './subject.js';

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' } as const;

export function watching(subject: Subject): void {
  describe('watching', () => {
    let namespace: string;
    beforeEach(async () => {
      namespace = await freshNamespace(subject.client());
    }, SLOW);

    /** Events of our own objects, one at a time, `TYPE name`. */
    const open = (
      labelSelector: string | undefined,
      signal: AbortSignal,
    ): AsyncIterator<string> => {
      const options = { namespace, ...(labelSelector !== undefined && { labelSelector }) };
      return texts(subject.client().watch(CONFIG_MAP, options, signal))[Symbol.asyncIterator]();
    };
    const next = async (events: AsyncIterator<string>): Promise<string> => {
      const result = await events.next();
      return result.done === true ? 'END' : result.value;
    };

    test(
      'begins with all there is, then tells each change',
      async () => {
        const client = subject.client();
        await client.apply(aConfigMap(namespace, 'a'));
        const stop = new AbortController();
        const events = open(undefined, stop.signal);

        expect(await next(events)).toBe('LISTED a');
        await client.apply(aConfigMap(namespace, 'b'));
        expect(await next(events)).toBe('ADDED b');
        await client.apply(aConfigMap(namespace, 'a', { key: 'changed' }));
        expect(await next(events)).toBe('MODIFIED a');
        await client.delete({ ...CONFIG_MAP, namespace, name: 'a' });
        expect(await next(events)).toBe('DELETED a');
        stop.abort();
        expect(await next(events)).toBe('END');
      },
      SLOW,
    );

    test(
      'an object that begins or ceases to match the selector appears or goes',
      async () => {
        const client = subject.client();
        await client.apply(aConfigMap(namespace, 'a', {}, { tier: 'db' }));
        const stop = new AbortController();
        const events = open('tier=web', stop.signal);

        expect(await next(events)).toBe('LISTED');
        await client.apply(aConfigMap(namespace, 'a', {}, { tier: 'web' }));
        expect(await next(events)).toBe('ADDED a');
        await client.apply(aConfigMap(namespace, 'a', {}, { tier: 'db' }));
        expect(await next(events)).toBe('DELETED a');
        stop.abort();
      },
      SLOW,
    );

    test(
      'loses nothing of what happens while it begins',
      async () => {
        const client = subject.client();
        const names = Array.from({ length: 40 }, (_, index) => `item-${index}`);
        const stop = new AbortController();
        const writing = Promise.all(names.map((name) => client.apply(aConfigMap(namespace, name))));

        const seen = new Set<string>();
        for await (const event of client.watch(CONFIG_MAP, { namespace }, stop.signal)) {
          const objects = event.type === 'LISTED' ? event.objects : [event.object];
          for (const { metadata } of objects)
            if (metadata.name?.startsWith('item-')) seen.add(metadata.name);
          if (seen.size === names.length) stop.abort();
        }

        await writing;
        expect([...seen].sort()).toEqual([...names].sort());
      },
      SLOW,
    );

    test(
      'tells what controllers write into the status',
      async () => {
        const client = subject.client();
        const stop = new AbortController();
        await client.apply(aDeployment(namespace, 'web', { replicas: 0 }));

        let observed: unknown;
        const kind = { apiVersion: 'apps/v1', kind: 'Deployment' };
        for await (const event of client.watch(kind, { namespace }, stop.signal)) {
          const [object] = event.type === 'LISTED' ? event.objects : [event.object];
          observed = at(object, 'status.observedGeneration');
          if (observed === 1) stop.abort();
        }

        expect(observed).toBe(1);
      },
      SLOW,
    );

    test('of a kind that is missing fails', async () => {
      const kind = { apiVersion: 'example.com/v1', kind: 'Nothing' };
      const events = subject.client().watch(kind, { namespace }, new AbortController().signal);

      const error = await failureOf(events[Symbol.asyncIterator]().next());

      expect(error.failure).toBe('notServed');
    });
  });
}

async function* texts(events: AsyncIterable<WatchEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const objects = event.type === 'LISTED' ? event.objects : [event.object];
    const names = objects
      .map(({ metadata }) => metadata.name ?? '')
      .filter((name) => name !== 'kube-root-ca.crt');
    // A real cluster's controllers add one to every namespace, at some time.
    if (names.length > 0 || event.type === 'LISTED') yield [event.type, ...names].join(' ');
  }
}
