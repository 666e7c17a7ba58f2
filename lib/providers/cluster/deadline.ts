import { NetworkFailure } from './network-failure.js';

/** The time a whole request may take, its retries included; also carries the caller's abort. */
export class Deadline {
  readonly signal: AbortSignal;
  expired = false;
  private readonly endsAt: number;
  private readonly timer: NodeJS.Timeout;
  private readonly outer: AbortSignal | undefined;
  private readonly controller = new AbortController();
  private readonly onAbort = (): void => this.controller.abort();

  constructor(ms: number, outer: AbortSignal | undefined) {
    this.signal = this.controller.signal;
    this.outer = outer;
    this.endsAt = performance.now() + ms;
    this.timer = setTimeout(() => {
      this.expired = true;
      this.controller.abort();
    }, ms);
    if (outer?.aborted === true) this.controller.abort();
    outer?.addEventListener('abort', this.onAbort);
  }

  leftMs(): number {
    return this.endsAt - performance.now();
  }

  /** `work`, or a failure when the time is over first: a credential plugin must not outlast the request. */
  async race<T>(work: Promise<T>): Promise<T> {
    const over = new Promise<never>((_resolve, reject) => {
      const fail = (): void =>
        reject(
          new NetworkFailure(
            this.expired ? 'timeout' : 'aborted',
            'waiting for credentials',
            false,
          ),
        );
      if (this.signal.aborted) fail();
      this.signal.addEventListener('abort', fail, { once: true });
    });
    return Promise.race([work, over]);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onAbort);
  }
}
