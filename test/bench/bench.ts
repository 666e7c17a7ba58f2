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
export function describeFigure(figure: Figure): string {
  const head = `  ${figure.name.padEnd(78)} ${amountOf(figure).padStart(20)}`;
  const { target } = figure;
  return target === undefined
    ? head
    : `${head}   ${isMet(figure) ? 'ok  ' : 'MISS'} ${limitOf(target)}`;
}

/** The same as a row of a Markdown table. */
export function toRow(figure: Figure): string {
  const { name, target } = figure;
  const indented = name.startsWith(' ') ? `&emsp;${name.trim()}` : name;
  const wanted =
    target === undefined ? '' : `${limitOf(target)}${isMet(figure) ? '' : ' **missed**'}`;
  return `| ${indented} | ${amountOf(figure)} | ${wanted} |\n`;
}

function amountOf({ value, unit }: Figure): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 3;
  return `${value.toLocaleString('en-US', { maximumFractionDigits: digits })} ${unit}`.trimEnd();
}

function isMet({ value, target }: Figure): boolean {
  if (target === undefined) return true;
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
}

function limitOf(target: NonNullable<Figure['target']>): string {
  return 'atMost' in target
    ? `≤ ${target.atMost.toLocaleString('en-US')}`
    : `≥ ${target.atLeast.toLocaleString('en-US')}`;
}
