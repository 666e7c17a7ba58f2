import type { World } from './world.js';

/** Exit code of a command that a person ended, as shells say it of Ctrl-C. */
export const INTERRUPTED = 130;

/** What is shown while work goes on. */
export interface Showing {
  /** Puts a line for people where it does not disturb. */
  say(message: string): void;
  /** The terminal is as it was before. */
  end(): void;
}

/**
 * Do work that Ctrl-C or SIGTERM ends: the first one aborts `signal`, after which nothing new starts and the work returns what
 * became of it; the second one ends the process at once. The view is closed in any case, so the terminal is as it was.
 */
export async function stoppable<T>(
  world: World,
  view: Showing,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const unsubscribe = world.onInterrupt((times) => {
    if (times > 1) {
      view.end();
      return world.exit(INTERRUPTED);
    }
    view.say('Stopping: requests under way finish, nothing new starts. Ctrl-C again ends at once.');
    stop.abort();
  });
  try {
    return await work(stop.signal);
  } finally {
    unsubscribe();
    view.end();
  }
}
