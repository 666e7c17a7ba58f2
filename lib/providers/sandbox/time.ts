/** The clock and timers of a sandbox; tests pass their own, so that no test waits. */
export interface Time {
  now(): Date;
  /** Run later; the result cancels. */
  after(ms: number, run: () => void): () => void;
}

/** The machine's clock. Timers do not keep a process alive that has nothing else to do. */
export const REAL_TIME: Time = {
  now: () => new Date(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** RFC 3339 in whole seconds, as Kubernetes writes times. */
export function timestamp(time: Time): string {
  return `${time.now().toISOString().slice(0, 19)}Z`;
}
