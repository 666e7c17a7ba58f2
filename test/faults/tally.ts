import { appendFileSync } from 'node:fs';

/**
 * Count what a fault suite tried: one line a run, for the table that `npm run check:faults` prints at its end
 * (`FLEETWRIGHT_FAULTS_FILE`, set by scripts/suites.mjs). A run that throws counts as not passed.
 */
export async function tallied<T>(fault: string, run: () => Promise<T>): Promise<T> {
  const file = process.env['FLEETWRIGHT_FAULTS_FILE'];
  let passed = false;
  try {
    const value = await run();
    passed = true;
    return value;
  } finally {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify({ fault, passed })}\n`);
  }
}

/** All of it, as `npm run check:faults` does; otherwise the part that stands for the rest. */
export const ALL_FAULTS = process.env['FLEETWRIGHT_FAULTS'] === 'all';
