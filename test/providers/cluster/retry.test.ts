import { describe, expect, test } from '@jest/globals';

import {
  DEFAULT_RETRY,
  pauseBeforeRetry,
  type Attempt,
} from '../../../lib/providers/cluster/retry.js';

const pause = (
  attempt: Attempt,
  options: { made?: number; idempotent?: boolean; random?: number } = {},
): number | undefined => {
  const { made = 1, idempotent = true, random = 0 } = options;
  return pauseBeforeRetry(attempt, made, idempotent, DEFAULT_RETRY, random);
};

describe('whether to try again', () => {
  test.each<{ name: string; attempt: Attempt; idempotent: boolean; again: boolean }>([
    {
      name: 'an answer',
      attempt: { status: 404, mayHaveHappened: false },
      idempotent: true,
      again: false,
    },
    {
      name: '429, the server did nothing',
      attempt: { status: 429, mayHaveHappened: false },
      idempotent: false,
      again: true,
    },
    {
      name: '503 before doing anything',
      attempt: { status: 503, mayHaveHappened: false },
      idempotent: false,
      again: true,
    },
    {
      name: '504, idempotent',
      attempt: { status: 504, mayHaveHappened: true },
      idempotent: true,
      again: true,
    },
    {
      name: '504, not idempotent',
      attempt: { status: 504, mayHaveHappened: true },
      idempotent: false,
      again: false,
    },
    {
      name: 'a plain 500',
      attempt: { status: 500, mayHaveHappened: true },
      idempotent: true,
      again: false,
    },
    {
      name: '500 with Retry-After',
      attempt: { status: 500, retryAfterSeconds: 1, mayHaveHappened: true },
      idempotent: true,
      again: true,
    },
    {
      name: 'no connection, not idempotent',
      attempt: { mayHaveHappened: false },
      idempotent: false,
      again: true,
    },
    {
      name: 'a broken connection, not idempotent',
      attempt: { mayHaveHappened: true },
      idempotent: false,
      again: false,
    },
    {
      name: 'an untrusted certificate',
      attempt: { mayHaveHappened: false, permanent: true },
      idempotent: true,
      again: false,
    },
  ])('$name: $again', ({ attempt, idempotent, again }) => {
    expect(pause(attempt, { idempotent }) !== undefined).toBe(again);
  });

  test('not more often than allowed', () => {
    expect(
      pause({ status: 429, mayHaveHappened: false }, { made: DEFAULT_RETRY.attempts }),
    ).toBeUndefined();
  });
});

describe('how long to wait', () => {
  test('doubles up to a bound, jittered over its upper half', () => {
    const attempt = { status: 503, mayHaveHappened: false };

    const least = [1, 2, 3, 4, 5].map((made) => pause(attempt, { made, random: 0 }));
    const most = [1, 2, 3, 4, 5].map((made) => pause(attempt, { made, random: 1 }));

    expect(least).toEqual([50, 100, 200, 400, 800]);
    expect(most).toEqual([100, 200, 400, 800, 1600]);
  });

  test('is at least what the server asks for', () => {
    expect(pause({ status: 429, retryAfterSeconds: 7, mayHaveHappened: false })).toBe(7000);
    expect(pause({ status: 429, retryAfterSeconds: 0, mayHaveHappened: false })).toBe(50);
  });
});
