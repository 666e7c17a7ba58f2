import type { Clock } from '../rollout/clock.js';
import type { Mirror } from './mirror.js';

/** Sleeps until the control plane shows something new, `wake` aborts, or the time has come. */
export async function waitForChange(
  mirror: Mirror,
  clock: Clock,
  until: number,
  wake?: AbortSignal,
): Promise<void> {
  const timer = new AbortController();
  const any = wake === undefined ? timer.signal : AbortSignal.any([timer.signal, wake]);
  const ms = Math.max(0, until - clock.now());
  void clock.sleep(ms, any).then(() => timer.abort());
  await mirror.change(any);
  timer.abort();
}
