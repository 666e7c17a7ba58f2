import { Cron } from 'croner';
import type { GateWindow, PlannedWave } from '../../engine/plan.js';
import type { Opening } from '../../engine/rollout/index.js';

/** How far ahead openings are computed: a run that lasts longer is started again anyway. */
const HORIZON_MS = 7 * 24 * 3_600_000;
/** A window of every minute need not be listed for a week. */
const MOST = 200;

/** When the waves with time windows may start, in milliseconds since 1970, ascending; by wave. */
export function openingsOf(
  waves: readonly PlannedWave[],
  now: number,
): Readonly<Record<string, readonly Opening[]>> {
  return Object.fromEntries(
    waves.flatMap(({ name, gate: { windows } }) =>
      windows === undefined
        ? []
        : [
            [
              name,
              windows.flatMap((window) => timesOf(window, now)).sort((a, b) => a.from - b.from),
            ],
          ],
    ),
  );
}

/** {@link openingsOf} as times of a steady clock, which shows `now` when the wall shows `wall`. */
export function steadyOpenings(
  waves: readonly PlannedWave[],
  wall: number,
  now: number,
): Readonly<Record<string, readonly Opening[]>> {
  const toSteady = ({ from, until }: Opening): Opening => ({
    from: from - wall + now,
    until: until - wall + now,
  });
  return Object.fromEntries(
    Object.entries(openingsOf(waves, wall)).map(([wave, openings]) => [
      wave,
      openings.map(toSteady),
    ]),
  );
}

/** The next time a wave opens; `undefined`: it is open now, or not within a week. */
export function nextOpening(openings: readonly Opening[], now: number): number | undefined {
  const isOpen = openings.some(({ from, until }) => from <= now && now < until);
  return isOpen ? undefined : openings.find(({ from }) => from > now)?.from;
}

function timesOf({ schedule, timeZone, durationSeconds }: GateWindow, now: number): Opening[] {
  const cron = new Cron(schedule, { timezone: timeZone, paused: true });
  const durationMs = durationSeconds * 1000;
  const openings: Opening[] = [];
  // Also those that opened before and have not closed yet; `nextRun` is later than what it is given.
  let after = new Date(now - durationMs - 1000);
  while (openings.length < MOST) {
    const next = cron.nextRun(after);
    if (next === null || next.getTime() > now + HORIZON_MS) break;
    openings.push({ from: next.getTime(), until: next.getTime() + durationMs });
    after = next;
  }
  return openings;
}
