import type { Time } from '../../../lib/providers/sandbox/index.js';

/** A clock that stands still until it is told. */
export interface FakeTime extends Time {
  /** Run everything due within that many milliseconds, in order, and what it sets up in turn. */
  advance(ms: number): void;
}

export function fakeTime(start = '2026-01-01T00:00:00Z'): FakeTime {
  let now = Date.parse(start);
  let made = 0;
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  return {
    now: () => new Date(now),
    after: (ms, run) => {
      const id = made++;
      timers.set(id, { at: now + ms, run });
      return () => timers.delete(id);
    },
    advance: (ms) => {
      const until = now + ms;
      for (;;) {
        const due = [...timers].filter(([, timer]) => timer.at <= until);
        const [next] = due.sort(([a, x], [b, y]) => x.at - y.at || a - b);
        if (next === undefined) break;
        timers.delete(next[0]);
        now = Math.max(now, next[1].at);
        next[1].run();
      }
      now = until;
    },
  };
}
