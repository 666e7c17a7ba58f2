import type { PlannedWave } from '../../engine/plan.js';
import type { Opening } from '../../engine/rollout/index.js';
import { nextOpening, openingsOf } from '../rollout/openings.js';
import { own } from '../../engine/own.js';

/** Why waves may not start now. */
export class Holds {
  private readonly approved: ReadonlySet<string>;
  private readonly openings: Readonly<Record<string, readonly Opening[]>>;
  private readonly now: number;

  /** `approved`: waves by name, or by name and the hash that the message shows; `now`: milliseconds since 1970. */
  constructor(waves: readonly PlannedWave[], approved: readonly string[], now: number) {
    this.approved = new Set(approved.map((wave) => wave.trim()));
    this.openings = openingsOf(waves, now);
    this.now = now;
  }

  /** For people, with what to type; `undefined`: it may start. `hash`: of what its start would change. */
  reasonFor({ name, gate }: PlannedWave, hash: string): string | undefined {
    const closed = closedUntil(own(this.openings, name), this.now);
    if (closed !== undefined) return closed;
    const exactly = `${name}@${hash.slice(0, 8)}`;
    // By name and hash it holds for this plan only.
    if (!gate.approval || this.approved.has(name) || this.approved.has(exactly)) return undefined;
    return `it waits for approval. To continue: pulumi config set fleetwright:approve ${exactly} && pulumi up`;
  }
}

function closedUntil(openings: readonly Opening[] | undefined, now: number): string | undefined {
  if (openings?.some(({ from, until }) => from <= now && now < until) !== false) return undefined;
  const next = nextOpening(openings, now);
  const when = next === undefined ? 'not within a week' : `at ${new Date(next).toISOString()}`;
  return `its time window opens ${when}. Run \`pulumi up\` again then.`;
}
