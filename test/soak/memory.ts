/** One look at this process, after a garbage collection. */
export interface Sample {
  readonly atSeconds: number;
  readonly phase: string;
  readonly heapMiB: number;
  readonly rssMiB: number;
  /** Timers, sockets and other things that keep a process busy. */
  readonly resources: number;
}

const MIB = 1024 * 1024;

export function sample(startedAt: number, phase: string): Sample {
  if (globalThis.gc === undefined) throw new Error('run node with --expose-gc');
  // Twice: what finalizers let go of is collected by the second.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  return {
    atSeconds: Math.round((performance.now() - startedAt) / 1000),
    phase,
    heapMiB: heapUsed / MIB,
    rssMiB: rss / MIB,
    resources: process.getActiveResourcesInfo().length,
  };
}

/** How a figure moves within one phase after its warm-up (the first quarter of the samples). */
export interface Trend {
  /** Medians of the first and of the last third. */
  readonly first: number;
  readonly last: number;
  /** Least squares, per hour. */
  readonly perHour: number;
}

export function trendOf(
  samples: readonly Sample[],
  field: 'heapMiB' | 'rssMiB' | 'resources',
): Trend {
  const warm = samples.slice(Math.ceil(samples.length / 4));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const values = warm.map((one) => one[field]);
  const xs = warm.map(({ atSeconds }) => atSeconds / 3600);
  const [mx, my] = [mean(xs), mean(values)];
  const above = xs.reduce((sum, x, i) => sum + (x - mx) * ((values[i] ?? 0) - my), 0);
  const below = xs.reduce((sum, x) => sum + (x - mx) ** 2, 0);
  return {
    first: median(values.slice(0, third)),
    last: median(values.slice(-third)),
    perHour: below === 0 ? 0 : above / below,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
