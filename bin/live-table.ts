import { describeSeconds } from '../lib/engine/describe/index.js';
import { describeRef, refKey } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import type { RolloutProgress } from '../lib/providers/rollout/index.js';

export interface TableOptions {
  readonly color: boolean;
  readonly width: number;
  readonly draw: (text: string) => void;
}

interface Row {
  readonly wave: string;
  readonly total: number;
  readonly ready: Set<string>;
  readonly written: Set<string>;
  phase: string;
  note: string;
}

/** More rows than fit on a screen scroll away and cannot be redrawn. */
const MAX_ROWS = 20;
const MARKS: Readonly<Record<string, readonly [string, number]>> = {
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

/** Waves × clusters with progress, redrawn in place. */
export class LiveTable {
  private readonly rows = new Map<string, Row>();
  private readonly waves = new Map<string, { phase: string; note: string }>();
  private readonly options: TableOptions;
  private atMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly startedAt = performance.now();

  constructor(plan: Pick<Plan, 'releases' | 'waves'>, options: TableOptions) {
    this.options = options;
    const releases = new Map(plan.releases.map((r) => [r.cluster, r]));
    for (const { name, clusters } of plan.waves) {
      this.waves.set(name, { phase: 'pending', note: '' });
      for (const cluster of clusters) {
        const total = releases.get(cluster)?.manifests.length ?? 0;
        this.rows.set(cluster, {
          wave: name,
          total,
          ready: new Set(),
          written: new Set(),
          phase: 'waiting',
          note: '',
        });
      }
    }
    this.timer = setInterval(() => this.tick(), 250);
  }

  onEvent(event: RolloutProgress): void {
    const note = 'reason' in event ? (event.reason ?? '') : '';
    if (event.kind === 'wave') this.waves.set(event.wave, { phase: event.phase, note });
    else if (event.kind !== 'outcome' && event.kind !== 'rollback') {
      const row = this.rows.get(event.cluster);
      if (row !== undefined) update(row, event);
    }
    this.atMs = event.atMs;
  }

  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.options.draw(this.text());
  }

  private tick(): void {
    this.atMs = performance.now() - this.startedAt;
    this.options.draw(this.text());
  }

  private text(): string {
    const lines: string[] = [];
    const names = Math.max(...[...this.rows.keys()].map((name) => name.length), 0);
    for (const [wave, { phase, note }] of this.waves) {
      lines.push(`${this.mark(phase)} ${wave}  ${phase}${note === '' ? '' : ` · ${note}`}`);
      const rows = [...this.rows].filter(([, row]) => row.wave === wave);
      const shown =
        rows.length <= MAX_ROWS
          ? rows
          : rows
              .filter(([, row]) => row.phase !== 'waiting' && row.phase !== 'ready')
              .slice(0, MAX_ROWS);
      for (const [cluster, row] of shown) {
        const bar = `${String(row.ready.size).padStart(3)}/${row.total} ready`;
        lines.push(
          clip(
            `    ${this.mark(row.phase)} ${cluster.padEnd(names)}  ${row.phase.padEnd(9)} ${bar}${row.note === '' ? '' : `  ${row.note}`}`,
            this.options.width,
          ),
        );
      }
      if (shown.length < rows.length)
        lines.push(`      ${rows.length - shown.length} more clusters waiting or ready`);
    }
    return `${lines.join('\n')}\n${describeSeconds(this.atMs / 1000)}\n`;
  }

  private mark(phase: string): string {
    const [mark, code] = MARKS[phase] ?? ['·', 2];
    return this.options.color ? `\u001b[${code}m${mark}\u001b[0m` : mark;
  }
}

function update(
  row: Row,
  event: Exclude<RolloutProgress, { kind: 'wave' | 'outcome' | 'rollback' }>,
): void {
  if (event.kind === 'note') row.note = event.message;
  else if (event.kind !== 'object') {
    row.phase = event.phase;
    row.note = event.reason ?? '';
  } else {
    const { progress } = event;
    const key = refKey(progress.resource);
    if (progress.kind === 'written') row.written.add(key);
    if (progress.kind === 'ready') row.ready.add(key);
    if (progress.kind === 'waiting') row.ready.delete(key);
    row.note =
      progress.kind === 'waiting'
        ? `${describeRef(progress.resource)}: ${progress.waitingFor}`
        : progress.kind === 'ready'
          ? ''
          : row.note;
  }
}

/** Cuts plain columns; escape codes stand only at the start of a line and are short. */
function clip(text: string, width: number): string {
  const limit = width + (text.includes('\u001b') ? 9 : 0);
  const points = [...text];
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join('')}…`;
}
