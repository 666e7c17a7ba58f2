import { objectAt, type JsonObject } from '../merge/json.js';
import { storageKey, type Kind } from '../schema/kinds.js';
import type { StoreEvent } from '../store/store.js';
import type { World } from '../world.js';
import { inVersion } from './reads.js';
import { fieldSelector, labelSelector, type Matches } from './selector.js';
import { badRequest, gone } from './status.js';

/** A stream of watch events; `end` closes it. */
export interface WatchSink {
  send(type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR', object: JsonObject): void;
  end(): void;
}

const BOOKMARK_EVERY = 10_000;
const LONGEST = 30 * 60_000;

/**
 * WATCH: events after `resourceVersion`, or first everything there is when it is absent or `0`, then what comes.
 *
 * An object that starts or stops to match the selectors appears as ADDED or DELETED. A revision the log no longer has is
 * answered by an ERROR event with a 410 Status, as a kube-apiserver does. @returns how to stop it.
 */
export function watchObjects(
  world: World,
  kind: Kind,
  namespace: string | undefined,
  query: URLSearchParams,
  sink: WatchSink,
): () => void {
  const matches = selectorOf(namespace, query);
  const version = query.get('resourceVersion') ?? '';
  const initial = query.get('sendInitialEvents') === 'true';
  if (version !== '' && !/^\d+$/.test(version))
    throw badRequest(`resourceVersion: Invalid value: "${version}"`);

  const send = (event: StoreEvent): void => {
    const type = seenAs(event, matches);
    if (type !== undefined) sink.send(type, inVersion(kind, event.object));
  };
  const missed =
    version === '' || version === '0' || initial ? [] : world.store.since(Number(version));
  if (missed === undefined) {
    const message = `too old resource version: ${version} (${world.store.oldest})`;
    sink.send('ERROR', gone(message).toStatus());
    sink.end();
    return () => {};
  }
  if (version === '' || version === '0' || initial) {
    for (const object of world.store.list(kind, namespace).filter(matches))
      sink.send('ADDED', inVersion(kind, object));
  }
  if (initial)
    sink.send(
      'BOOKMARK',
      bookmark(kind, world.store.revision, { 'k8s.io/initial-events-end': 'true' }),
    );

  const storage = storageKey(kind);
  for (const event of missed) if (event.storage === storage) send(event);
  const unsubscribe = world.store.subscribe((event) => {
    if (event.storage === storage) send(event);
  });
  const bookmarks = query.get('allowWatchBookmarks') === 'true';
  let cancelBookmark = (): void => {};
  const tick = (): void => {
    sink.send('BOOKMARK', bookmark(kind, world.store.revision));
    cancelBookmark = world.time.after(BOOKMARK_EVERY, tick);
  };
  if (bookmarks) cancelBookmark = world.time.after(BOOKMARK_EVERY, tick);
  const seconds = Number(query.get('timeoutSeconds') ?? 0);
  const stop = (): void => {
    unsubscribe();
    cancelBookmark();
    cancelTimeout();
  };
  const cancelTimeout = world.time.after(seconds > 0 ? seconds * 1000 : LONGEST, () => {
    if (bookmarks) sink.send('BOOKMARK', bookmark(kind, world.store.revision));
    stop();
    sink.end();
  });
  return stop;
}

function selectorOf(namespace: string | undefined, query: URLSearchParams): Matches {
  const labels = labelSelector(query.get('labelSelector'));
  const fields = fieldSelector(query.get('fieldSelector'));
  return (object) =>
    (namespace === undefined || objectAt(object, 'metadata')['namespace'] === namespace) &&
    labels(object) &&
    fields(object);
}

function seenAs(event: StoreEvent, matches: Matches): StoreEvent['type'] | undefined {
  const now = event.type !== 'DELETED' && matches(event.object);
  const before = event.previous !== undefined && matches(event.previous);
  if (now) return before ? 'MODIFIED' : 'ADDED';
  return before ? 'DELETED' : undefined;
}

function bookmark(
  kind: Kind,
  revision: number,
  annotations?: Readonly<Record<string, string>>,
): JsonObject {
  return {
    kind: kind.kind,
    apiVersion: kind.apiVersion,
    metadata: {
      resourceVersion: String(revision),
      creationTimestamp: null,
      ...(annotations !== undefined && { annotations }),
    },
  };
}
