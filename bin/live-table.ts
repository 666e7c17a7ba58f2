import { describeSeconds } from '../lib/engine/describe/index.js';
import { describeRef, refKey } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import type { RolloutProgress } from '../lib/providers/rollout/index.js';
import { frameOf, type FrameOptions, type TableWave } from './table-frame.js';

export interface TableOptions {
  readonly color: boolean;
  /** Asked for every frame: people resize their windows. */
  readonly size: () => Pick<FrameOptions, 'columns' | 'rows'>;
  readonly draw: (text: string) => void;
}

interface Row {
  readonly wave: string;
  readonly total: number;
  readonly ready: Set<string>;
  phase: string;
  note: string;
}

interface Wave {
  readonly soakSeconds: number;
  phase: string;
  note: string;
  /** When it came into its phase. Milliseconds from the start of the run. */
  since: number;
}

const FRAME_MS = 250;

/** Waves × clusters with progress, redrawn in place. */
export class LiveTable {
  private readonly rows = new Map<string, Row>();
  private readonly waves = new Map<string, Wave>();
  private readonly options: TableOptions;
  private timer: NodeJS.Timeout | undefined;
  private readonly startedAt = performance.now();

  constructor(plan: Pick<Plan, 'releases' | 'waves'>, options: TableOptions) {
    this.options = options;
    const releases = new Map(plan.releases.map((r) => [r.cluster, r]));
    for (const { name, clusters, gate } of plan.waves) {
      const { soakSeconds } = gate;
      this.waves.set(name, { soakSeconds, phase: 'pending', note: '', since: 0 });
      for (const cluster of clusters) {
        const total = releases.get(cluster)?.manifests.length ?? 0;
        this.rows.set(cluster, { wave: name, total, ready: new Set(), phase: 'waiting', note: '' });
      }
    }
  }

  /** Draw now and from time to time, until {@link stop}. */
  start(): void {
    this.timer ??= setInterval(() => this.draw(), FRAME_MS);
    this.draw();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  draw(): void {
    const ms = performance.now() - this.startedAt;
    const { size, color, draw } = this.options;
    draw(`${frameOf(this.state(ms), ms / 1000, { ...size(), color }).join('\n')}\n`);
  }

  onEvent(event: RolloutProgress): void {
    const note = 'reason' in event ? (event.reason ?? '') : '';
    if (event.kind === 'wave') {
      const { soakSeconds = 0 } = this.waves.get(event.wave) ?? {};
      this.waves.set(event.wave, { soakSeconds, phase: event.phase, note, since: event.atMs });
    } else if (event.kind !== 'outcome' && event.kind !== 'rollback') {
      const row = this.rows.get(event.cluster);
      if (row !== undefined) update(row, event);
    }
  }

  private state(ms: number): readonly TableWave[] {
    return [...this.waves].map(([name, wave]) => ({
      name,
      phase: wave.phase,
      note: wave.phase === 'soaking' ? soakOf(wave, ms) : wave.note,
      rows: [...this.rows].flatMap(([cluster, row]) =>
        row.wave === name ? [{ ...row, cluster, ready: row.ready.size }] : [],
      ),
    }));
  }
}

function soakOf({ since, soakSeconds }: Wave, ms: number): string {
  const soaked = Math.min(soakSeconds, Math.max(0, Math.floor((ms - since) / 1000)));
  return `${describeSeconds(soaked)} of ${describeSeconds(soakSeconds)}`;
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
    if (progress.kind === 'ready') {
      row.ready.add(key);
      row.note = '';
    }
    if (progress.kind !== 'waiting') return;
    row.ready.delete(key);
    row.note = `${describeRef(progress.resource)}: ${progress.waitingFor}`;
  }
}
