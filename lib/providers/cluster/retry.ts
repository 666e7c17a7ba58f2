/** How one attempt of a request ended, as far as trying again is concerned. */
export interface Attempt {
  /** HTTP status; absent when no answer came. */
  readonly status?: number;
  /** Seconds the server asks to wait. */
  readonly retryAfterSeconds?: number;
  /** Whether the server may have carried the request out. */
  readonly mayHaveHappened: boolean;
  /** A failure that waiting does not cure: an untrusted certificate, a name that does not exist. */
  readonly permanent?: boolean;
}

export interface RetryLimits {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** First pause; doubles each time. Milliseconds. */
  readonly baseMs: number;
  /** Longest pause that is not asked for by the server. Milliseconds. */
  readonly maxMs: number;
}

export const DEFAULT_RETRY: RetryLimits = { attempts: 6, baseMs: 100, maxMs: 3_000 };

/** Statuses by which a server, or what stands before it, says "not now". */
const TRANSIENT = new Set([500, 502, 503, 504]);

/**
 * Milliseconds to wait before the next attempt, or `undefined` to give up.
 *
 * 429 is tried again for every request, since the server did nothing. All else only for idempotent requests, or when the request
 * surely did not happen. `Retry-After` wins over our own pause. Pauses are jittered between half and all of the doubled base, so that
 * clients that failed together do not come back together.
 *
 * @param random in [0, 1)
 */
export function pauseBeforeRetry(
  attempt: Attempt,
  made: number,
  idempotent: boolean,
  limits: RetryLimits,
  random: number,
): number | undefined {
  if (made >= limits.attempts || attempt.permanent === true) return undefined;
  if (!isTransient(attempt) || (!idempotent && attempt.mayHaveHappened)) return undefined;
  const doubled = Math.min(limits.maxMs, limits.baseMs * 2 ** (made - 1));
  const own = Math.round(doubled * (0.5 + random / 2));
  if (attempt.retryAfterSeconds === undefined) return own;
  return Math.max(own, attempt.retryAfterSeconds * 1000);
}

function isTransient({ status, retryAfterSeconds }: Attempt): boolean {
  if (status === undefined || status === 429) return true;
  // A bare 500 is a bug or a bad request in disguise (etcd's own timeouts come as 500 with Retry-After, or 504).
  if (status === 500) return retryAfterSeconds !== undefined;
  return TRANSIENT.has(status);
}
