import { request as send, type Dispatcher } from 'undici';

import type { Credential, Credentials } from './credentials.js';
import { Deadline } from './deadline.js';
import { NetworkFailure, toNetworkFailure } from './network-failure.js';
import { Pools, type PoolOptions } from './pools.js';
import { DEFAULT_RETRY, pauseBeforeRetry, type Attempt, type RetryLimits } from './retry.js';

/** One request to an API server. `path` begins with `/` and carries its query. */
export interface ApiRequest {
  readonly method: 'GET' | 'PATCH' | 'DELETE' | 'POST' | 'PUT';
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  /** Sending it twice leaves the cluster as sending it once. */
  readonly idempotent: boolean;
  /** For all attempts and the pauses between them. Milliseconds. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

export interface ApiResponse {
  readonly status: number;
  /** Parsed JSON; the text when it is none; `undefined` when empty. */
  readonly body: unknown;
  readonly retryAfterSeconds?: number;
  /** An earlier attempt got no answer, so this answer may describe what that one did. */
  readonly repeated: boolean;
}

/** What a transport takes from the world besides the network; tests give their own. */
export interface Clock {
  /** Milliseconds since any moment, never back: for waits, not for dates. */
  readonly now: () => number;
  readonly random: () => number;
  /** Ends early, without an error, when `signal` aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface TransportOptions extends PoolOptions {
  /** E.g. `https://10.0.0.1:6443`; may end in a path, as behind a proxy. */
  readonly server: string;
  readonly credentials: Credentials;
  /** Default for {@link ApiRequest.deadlineMs}: 30 s. */
  readonly deadlineMs?: number;
  readonly retry?: RetryLimits;
  readonly clock?: Clock;
}

export interface Transport {
  /** Any answer of the server, errors included. Throws {@link NetworkFailure} when none came in time. */
  request(request: ApiRequest): Promise<ApiResponse>;
  /** The raw bytes of an answer that may last; a status other than 200 comes with its body read. */
  stream(
    path: string,
    idleMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: AsyncIterable<Uint8Array> | unknown }>;
  close(): Promise<void>;
}

const DEADLINE_MS = 30_000;

/**
 * HTTP to one API server: one pool of kept-alive connections, raw JSON both ways, a deadline on everything, bounded retries.
 * Every request goes out with the credential of the moment; a 401 renews it once (ADR 0050).
 */
export function openTransport(options: TransportOptions): Transport {
  const pools = new Pools(options);
  const clock = options.clock ?? STEADY_CLOCK;
  const base = options.server.replace(/\/+$/, '');
  return {
    request: (request) => requestWithRetries(request, options, pools, clock, base),
    stream: (path, idleMs, signal) => openStream(`${base}${path}`, idleMs, signal, options, pools),
    close: () => pools.close(),
  };
}

async function requestWithRetries(
  request: ApiRequest,
  options: TransportOptions,
  pools: Pools,
  clock: Clock,
  base: string,
): Promise<ApiResponse> {
  const limits = options.retry ?? DEFAULT_RETRY;
  const deadline = new Deadline(
    request.deadlineMs ?? options.deadlineMs ?? DEADLINE_MS,
    request.signal,
  );
  const isIdempotent = request.idempotent;
  let repeated = false;
  let renewed = false;
  try {
    for (let made = 1; ; made++) {
      const credential = await deadline.race(options.credentials.current());
      const outcome = await attemptOnce(
        request,
        `${base}${request.path}`,
        pools.requests(credential),
        credential,
        deadline,
      );
      if (!(outcome instanceof NetworkFailure) && outcome.status === 401 && !renewed) {
        renewed = true;
        if (options.credentials.renew(credential)) continue;
      }
      const pause = pauseBeforeRetry(
        toAttempt(outcome),
        made,
        isIdempotent,
        limits,
        clock.random(),
      );
      if (pause === undefined || pause >= deadline.leftMs() || deadline.signal.aborted) {
        if (outcome instanceof NetworkFailure) throw outcome.after(repeated);
        return { ...outcome, repeated };
      }
      repeated ||= toAttempt(outcome).mayHaveHappened;
      await clock.sleep(pause, deadline.signal);
    }
  } finally {
    deadline.clear();
  }
}

async function attemptOnce(
  request: ApiRequest,
  url: string,
  dispatcher: Dispatcher,
  credential: Credential,
  deadline: Deadline,
): Promise<Omit<ApiResponse, 'repeated'> | NetworkFailure> {
  try {
    const answer = await send(url, {
      dispatcher,
      method: request.method,
      signal: deadline.signal,
      headers: {
        Accept: request.accept ?? 'application/json',
        'User-Agent': USER_AGENT,
        ...(request.contentType !== undefined && { 'Content-Type': request.contentType }),
        ...credential.headers,
      },
      ...(request.body !== undefined && { body: request.body }),
    });
    const body = parseBody(await answer.body.text());
    const retryAfterSeconds = parseRetryAfter(answer.headers['retry-after']);
    return {
      status: answer.statusCode,
      body,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    };
  } catch (error) {
    return toNetworkFailure(
      error,
      request.method !== 'GET',
      deadline.expired,
      request.signal?.aborted === true,
    );
  }
}

/** Field managers are named apart from this; audit logs show it. */
const USER_AGENT = 'fleetwright';

async function openStream(
  url: string,
  idleMs: number,
  signal: AbortSignal,
  options: TransportOptions,
  pools: Pools,
): Promise<{ status: number; body: AsyncIterable<Uint8Array> | unknown }> {
  for (let renewed = false; ; renewed = true) {
    const credential = await options.credentials.current();
    try {
      const answer = await send(url, {
        dispatcher: pools.streams(credential),
        method: 'GET',
        signal,
        headersTimeout: options.deadlineMs ?? DEADLINE_MS,
        bodyTimeout: idleMs,
        headers: { Accept: 'application/json', 'User-Agent': USER_AGENT, ...credential.headers },
      });
      if (answer.statusCode === 200) return { status: 200, body: answer.body };
      const body = parseBody(await answer.body.text());
      const again = answer.statusCode === 401 && !renewed && options.credentials.renew(credential);
      if (!again) return { status: answer.statusCode, body };
    } catch (error) {
      throw toNetworkFailure(error, false, false, signal.aborted);
    }
  }
}

function toAttempt(outcome: Omit<ApiResponse, 'repeated'> | NetworkFailure): Attempt {
  if (outcome instanceof NetworkFailure)
    return { mayHaveHappened: outcome.mayHaveHappened, permanent: outcome.permanent };
  const { status, retryAfterSeconds = retryAfterInBody(outcome.body) } = outcome;
  // What answers 502 and 504 stands before the server and does not know how far the request got.
  const mayHaveHappened = status === 500 || status === 502 || status === 504;
  return { status, mayHaveHappened, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Seconds; API servers send no dates. */
function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  const seconds = Number(Array.isArray(header) ? header[0] : header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

function retryAfterInBody(body: unknown): number | undefined {
  const details = (body as { details?: { retryAfterSeconds?: unknown } } | undefined)?.details;
  return typeof details?.retryAfterSeconds === 'number' ? details.retryAfterSeconds : undefined;
}

/** The real time and chance. Steady: nothing that waits may notice when somebody sets the machine's clock. */
export const STEADY_CLOCK: Clock = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      // An event that has been is not told again.
      if (signal?.aborted === true) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
    }),
};
