import type { KubeObject } from '../../api/object.js';
import { ProviderError, type ListOptions, type ServedKind, type WatchEvent } from './client.js';
import { asProviderError, toProviderError } from './errors.js';
import { linesOf } from './lines.js';
import { listAll } from './list.js';
import { NetworkFailure } from './network-failure.js';
import { listPath } from './paths.js';
import { DEFAULT_RETRY, pauseBeforeRetry } from './retry.js';
import { toApiStatus } from './status.js';
import type { Clock, Transport } from './transport.js';

export interface WatchLimits {
  /** The server ends a watch after that many seconds, and we go on where it ended. */
  readonly sessionSeconds: number;
  /** A stream that says nothing, not even a bookmark (one a minute), is broken. Milliseconds. */
  readonly idleMs: number;
  /** How long a cluster may stay away before the watch gives up. Milliseconds. */
  readonly patienceMs: number;
}

export const DEFAULT_WATCH: WatchLimits = {
  sessionSeconds: 290,
  idleMs: 130_000,
  patienceMs: 120_000,
};

export interface WatchTools {
  readonly cluster: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly limits: WatchLimits;
}

/**
 * Everything of a kind, then every change to it, for as long as `signal` allows.
 *
 * A watch that the server ends in order goes on from where it was; after 410 or a stream that broke, all is listed again, since
 * events may be missing. Ends quietly on abort. Throws when the server refuses (403, kind gone), or stays away for `patienceMs`.
 */
export async function* watchKind(
  tools: WatchTools,
  served: ServedKind,
  options: ListOptions,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  const { cluster, transport, clock, limits } = tools;
  const act = { cluster, verb: 'watch', subject: served.resource };
  let failures = 0;
  let healthyAt = -Infinity; // before the first list: a cluster that never answered gets no patience
  while (!signal.aborted) {
    try {
      const listed = await listAll(cluster, transport, served, options, signal);
      healthyAt = clock.now();
      yield { type: 'LISTED', objects: listed.objects };
      const position = { resourceVersion: listed.resourceVersion };
      while (!signal.aborted) {
        const startedAt = clock.now();
        for await (const event of oneSession(tools, served, options, position, signal)) {
          failures = 0;
          yield event;
        }
        healthyAt = clock.now();
        // Something that closes every watch at once must not be asked without a pause.
        if (healthyAt - startedAt < 1_000)
          await clock.sleep(DEFAULT_RETRY.maxMs * clock.random(), signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isExpired(error)) continue; // 410: list again at once
      failures += 1;
      const pause = pauseBeforeRetry(
        { mayHaveHappened: false },
        failures,
        true,
        PATIENT,
        clock.random(),
      );
      const isOver = clock.now() - healthyAt > limits.patienceMs;
      if (pause === undefined || isOver || !isPassing(error)) throw asProviderError(act, error);
      await clock.sleep(pause, signal);
    }
  }
}

const PATIENT = { ...DEFAULT_RETRY, attempts: Infinity };

/** The changes of one HTTP answer; moves `position` along, by bookmarks too. Returns when the server closes in order. */
async function* oneSession(
  { cluster, transport, limits }: WatchTools,
  served: ServedKind,
  options: ListOptions,
  position: { resourceVersion: string },
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  const path = listPath(served, options, {
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: position.resourceVersion,
    timeoutSeconds: String(limits.sessionSeconds),
  });
  const answer = await transport.stream(path, limits.idleMs, signal);
  const act = { cluster, verb: 'watch', subject: served.resource };
  if (answer.status !== 200)
    throw toProviderError(act, { status: answer.status, body: answer.body, repeated: false });
  for await (const line of linesOf(answer.body as AsyncIterable<Uint8Array>)) {
    const event = JSON.parse(line) as RawEvent;
    if (event.type === 'ERROR') throw fromErrorEvent(act, event.object);
    const version = event.object.metadata?.resourceVersion;
    if (version !== undefined) position.resourceVersion = version;
    if (event.type !== 'BOOKMARK') yield { type: event.type, object: event.object as KubeObject };
  }
}

interface RawEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Partial<KubeObject>;
}

function fromErrorEvent(act: Parameters<typeof toProviderError>[0], body: unknown): ProviderError {
  const status = (body as { code?: number }).code ?? 500;
  return toProviderError(act, {
    status,
    body: { kind: 'Status', ...toApiStatus(body) },
    repeated: false,
  });
}

const GONE = 410;

/** The server no longer has the history from our position, or does not have it yet. */
function isExpired(error: unknown): boolean {
  return ProviderError.is(error) && error.facts.status === GONE;
}

/** What may be better the next time. Errors of the network are; of the server's refusals, few. */
function isPassing(error: unknown): boolean {
  if (!ProviderError.is(error)) return error instanceof NetworkFailure;
  return (
    error.failure === 'server' ||
    error.failure === 'throttled' ||
    error.failure === 'unreachable' ||
    error.failure === 'timeout'
  );
}
