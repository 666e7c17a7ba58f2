import { describeRef } from '../lib/engine/object.js';
import { describeSeconds } from '../lib/engine/describe/index.js';
import type { Plan } from '../lib/engine/plan.js';
import type { RolloutProgress } from '../lib/providers/rollout/index.js';
import { LiveTable } from './live-table.js';
import type { OutputFlags } from './options.js';
import { canColour, type World } from './world.js';

/** Shows a rollout while it runs. */
export interface ProgressView {
  readonly onEvent: (event: RolloutProgress) => void;
  /** After the last event: leave the terminal as it was. */
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
  if (flags.eventsJson === true) {
    return {
      onEvent: (event) => world.stdout.write(`${JSON.stringify(event)}\n`),
      end: () => undefined,
    };
  }
  if (flags.json === true) return { onEvent: () => undefined, end: () => undefined };
  if (!world.stderr.isTerminal) {
    return {
      onEvent: (event) => lineOf(event).forEach((line) => world.stderr.write(`${line}\n`)),
      end: () => undefined,
    };
  }
  const { createLogUpdate } = await import('log-update');
  // What log-update needs of a stream, over the world's output.
  const draw = createLogUpdate(process.stderr);
  const table = new LiveTable(plan, {
    color: canColour(world.stderr, world, flags),
    width: world.stderr.columns,
    draw,
  });
  return {
    onEvent: (event) => table.onEvent(event),
    end: () => {
      table.end();
      draw.done();
    },
  };
}

/** For logs: a line a change of phase, and what a cluster waits for. */
function lineOf(event: RolloutProgress): string[] {
  const at = `[${(event.atMs / 1000).toFixed(1).padStart(6)} s]`;
  const why = 'reason' in event && event.reason !== undefined ? ` · ${event.reason}` : '';
  switch (event.kind) {
    case 'wave':
      return [`${at} wave ${event.wave}: ${event.phase}${why}`];
    case 'cluster':
      return event.phase === 'waiting' ? [] : [`${at}   ${event.cluster}: ${event.phase}${why}`];
    case 'settle':
      return [`${at}   ${event.cluster}: ${event.phase}${why}`];
    case 'note':
      return [`${at}   ${event.cluster}: ${event.message}`];
    case 'object': {
      const { progress } = event;
      if (progress.kind === 'deleted')
        return [`${at}   ${event.cluster}: ${describeRef(progress.resource)} deleted`];
      return [];
    }
    case 'rollback':
      return [`${at} back to revision ${event.revision}: ${event.waves.join(', ')}`];
    case 'outcome':
      return [`${at} ${event.outcome} after ${describeSeconds(event.atMs / 1000)}`];
  }
}
