import type { Plan } from '../lib/engine/plan.js';
import type { RolloutProgress } from '../lib/providers/rollout/index.js';
import { LiveTable } from './live-table.js';
import type { OutputFlags } from './options.js';
import { PlainLines } from './plain-lines.js';
import { canColour, type World } from './world.js';

/** Shows a rollout while it runs. */
export interface ProgressView {
  readonly onEvent: (event: RolloutProgress) => void;
  /** A line in between that stays. */
  readonly say: (line: string) => void;
  /** Something else has the terminal meanwhile, such as a question. */
  readonly standAside: <T>(work: () => Promise<T>) => Promise<T>;
  /** After the last event: leave the terminal as it was. Once more does nothing. */
  readonly end: () => void;
}

export interface ProgressFlags extends OutputFlags {
  readonly eventsJson?: boolean;
}

/** One JSON object a line on stdout; a live table on a terminal; plain lines on stderr elsewhere. */
export async function showProgress(
  plan: Pick<Plan, 'releases' | 'waves'>,
  world: World,
  flags: ProgressFlags,
): Promise<ProgressView> {
  const { stderr, stdout } = world;
  if (flags.eventsJson === true)
    return asLines(world, (event) => stdout.write(`${JSON.stringify(event)}\n`));
  if (flags.json === true) return asLines(world, () => undefined);
  if (stderr.isTerminal) return asTable(plan, world, flags);
  const lines = new PlainLines();
  return asLines(world, (event) => lines.of(event).forEach((line) => stderr.write(`${line}\n`)));
}

function asLines({ stderr }: World, onEvent: ProgressView['onEvent']): ProgressView {
  return {
    onEvent,
    say: (line) => stderr.write(`${line}\n`),
    standAside: (work) => work(),
    end: () => undefined,
  };
}

async function asTable(
  plan: Pick<Plan, 'releases' | 'waves'>,
  world: World,
  flags: ProgressFlags,
): Promise<ProgressView> {
  const { stderr } = world;
  const { createLogUpdate } = await import('log-update');
  // What log-update needs of a stream, over the world's output.
  const stream = {
    isTTY: true,
    get columns() {
      return stderr.columns;
    },
    get rows() {
      return stderr.rows;
    },
    write: (text: string) => stderr.write(text),
  };
  const draw = createLogUpdate(stream as unknown as NodeJS.WritableStream);
  const table = new LiveTable(plan, {
    color: canColour(stderr, world, flags),
    size: () => ({ columns: stderr.columns, rows: stderr.rows }),
    draw,
  });
  let isOver = false;
  let isAside = false;
  const leave = (): void => {
    table.stop();
    table.draw();
    draw.done();
  };
  table.start();
  return {
    onEvent: (event) => table.onEvent(event),
    say: (line) => {
      // Whoever asks has the terminal.
      if (isAside) return stderr.write(`${line}\n`);
      draw.persist(line);
      table.draw();
    },
    standAside: async (work) => {
      leave();
      isAside = true;
      try {
        return await work();
      } finally {
        isAside = false;
        if (!isOver) table.start();
      }
    },
    end: () => {
      if (!isOver) leave();
      isOver = true;
    },
  };
}
