import { describeSeconds } from '../lib/engine/describe/index.js';
import { printable } from './printable.js';

/** How one cluster of a wave does. */
export interface TableRow {
  readonly cluster: string;
  readonly phase: string;
  /** Objects. */
  readonly ready: number;
  readonly total: number;
  /** What it waits for, or why it failed; empty: nothing to say. */
  readonly note: string;
}

export interface TableWave {
  readonly name: string;
  readonly phase: string;
  readonly note: string;
  readonly rows: readonly TableRow[];
}

export interface FrameOptions {
  readonly color: boolean;
  /** Of the terminal. */
  readonly columns: number;
  readonly rows: number;
}

const MARKS: Readonly<Record<string, readonly [mark: string, color: number]>> = {
  waiting: ['·', 2],
  applying: ['▸', 36],
  observing: ['▸', 36],
  settling: ['▸', 36],
  soaking: ['◔', 36],
  ready: ['✓', 32],
  settled: ['✓', 32],
  passed: ['✓', 32],
  failed: ['✗', 31],
  stopped: ['■', 33],
  held: ['‖', 33],
};

/** Rows that are left out last: what went wrong, what is at work; then what is done, what has not begun. */
const IMPORTANCE = ['failed', 'stopped', 'observing', 'settling', 'applying', 'ready', 'settled'];
/** Clusters of these need no line of their own. */
const QUIET: ReadonlySet<string> = new Set(['waiting', 'ready', 'settled']);
const LONGEST_NAME = 32;

/**
 * Waves × clusters as lines that fit the terminal, whatever the size of the fleet: waves that are done or have not begun are
 * one line each; of the others the clusters that matter most get a line while there is room, the rest is counted.
 */
export function frameOf(
  waves: readonly TableWave[],
  seconds: number,
  options: FrameOptions,
): readonly string[] {
  const heads = waves.length;
  // The time, and the line on which the cursor stands.
  const room = Math.max(0, options.rows - heads - 2);
  const open = waves.filter(({ rows }) => rows.some(({ phase }) => !QUIET.has(phase)));
  const width = nameWidth(open, options.columns);
  let left = room;
  const lines = waves.flatMap((wave) => {
    const rows = open.includes(wave) ? linesOf(wave, left, width, options) : [];
    left -= rows.length;
    return [headOf(wave, options), ...rows];
  });
  return [...lines, describeSeconds(seconds)];
}

function headOf({ name, phase, note, rows }: TableWave, options: FrameOptions): string {
  const counts = [
    rows.length === 1 ? '1 cluster' : `${rows.length} clusters`,
    ...countPhases(rows.filter((row) => row.phase !== 'waiting' && row.phase !== 'settled')),
  ];
  const isToldBefore = phase === 'failed' && note !== '';
  // What is true of all needs no number.
  const said = phase === 'passed' ? counts.slice(0, 1) : isToldBefore ? [] : counts;
  const parts = [phase, note, said.join(', ')].filter((part) => part !== '');
  return line(phase, `${shortened(name)}  ${parts.join(' · ')}`, '', options);
}

function linesOf(
  { rows }: TableWave,
  room: number,
  width: number,
  options: FrameOptions,
): readonly string[] {
  if (room <= 0) return [];
  const ranked = [...rows].sort((a, b) => rank(a) - rank(b));
  const isTooMany = rows.length > room;
  const kept = new Set(isTooMany ? ranked.slice(0, room - 1) : ranked);
  const shown = rows.filter((row) => kept.has(row));
  const hidden = rows.filter((row) => !kept.has(row));
  const text = ({ cluster, phase, ready, total, note }: TableRow): string =>
    `${shortened(cluster).padEnd(width)}  ${phase.padEnd(9)} ${String(ready).padStart(String(total).length)}/${total} ready${note === '' ? '' : `  ${note}`}`;
  return [
    ...shown.map((row) => line(row.phase, text(row), '    ', options)),
    ...(isTooMany
      ? [line('', `${hidden.length} more: ${countPhases(hidden).join(', ')}`, '    ', options)]
      : []),
  ];
}

function rank({ phase }: TableRow): number {
  const at = IMPORTANCE.indexOf(phase);
  return at < 0 ? IMPORTANCE.length : at;
}

/** `3 observing, 12 ready`, the most important first. */
function countPhases(rows: readonly TableRow[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { phase } of [...rows].sort((a, b) => rank(a) - rank(b)))
    counts.set(phase, (counts.get(phase) ?? 0) + 1);
  return [...counts].map(([phase, count]) => `${count} ${phase}`);
}

function nameWidth(waves: readonly TableWave[], columns: number): number {
  const names = waves.flatMap(({ rows }) => rows.map(({ cluster }) => shortened(cluster).length));
  return Math.min(Math.max(0, ...names), Math.max(8, Math.floor(columns / 3)));
}

/** Cluster names of clouds are long, and differ at both ends. */
function shortened(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const half = Math.floor((LONGEST_NAME - 1) / 2);
  return `${name.slice(0, half)}…${name.slice(-half)}`;
}

/** One line that never wraps; the mark alone is coloured, so that cutting cuts text. */
function line(
  phase: string,
  text: string,
  indent: string,
  { columns, color }: FrameOptions,
): string {
  const [mark, code] = MARKS[phase] ?? ['·', 2];
  const points = [...`${indent}${mark} ${printable(text)}`];
  const clipped =
    points.length < columns ? points : [...points.slice(0, Math.max(0, columns - 2)), '…'];
  const at = indent.length;
  if (!color || clipped[at] !== mark) return clipped.join('');
  return `${indent}\u001b[${code}m${mark}\u001b[0m${clipped.slice(at + 1).join('')}`;
}
