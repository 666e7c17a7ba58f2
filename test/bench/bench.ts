/** One measured line; `target` is what design and issue ask for. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Absent: shown for its own sake. */
  readonly target?: { readonly atMost: number } | { readonly atLeast: number };
}

/** One file of this folder exports one as `bench`. */
export interface Bench {
  readonly title: string;
  readonly run: () => readonly Figure[] | Promise<readonly Figure[]>;
}

/** Processor time of this process so far, in milliseconds: all threads, whatever else the machine does. */
export function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Processor milliseconds that a synchronous function takes, the best of several runs after one to warm up. */
export function bestOf(runs: number, work: () => void): number {
  work();
  let best = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const started = cpuMilliseconds();
    work();
    best = Math.min(best, cpuMilliseconds() - started);
  }
  return best;
}

/** The value below which a share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const ordered = [...samples].sort((a, b) => a - b);
  return ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] ?? NaN;
}

/** Exponent k of y = c × x^k, fitted over points (x, y) by least squares on logarithms. */
export function fittedExponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (index: 0 | 1): number =>
    logs.reduce((sum, log) => sum + log[index], 0) / logs.length;
  const [x0, y0] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
}

/** A figure as one line of a table, with whether it meets its target. */
export function describeFigure({ name, value, unit, target }: Figure): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 3;
  const seen = `${value.toLocaleString('en-US', { maximumFractionDigits: digits })} ${unit}`;
  const head = `  ${name.padEnd(62)} ${seen.padStart(20)}`;
  if (target === undefined) return head;
  const isMet = 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
  const wanted = 'atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
  return `${head}   ${isMet ? 'ok  ' : 'MISS'} ${wanted}`;
}
