import { appendFileSync } from 'node:fs';
import { afterAll } from '@jest/globals';
import fc from 'fast-check';

/**
 * Loaded by `npm run check:slow` into every test file: counts the instances that properties are run with, so that the
 * number it prints is the number that ran. Properties without a count of their own get the suite's.
 */
const file = process.env['FLEETWRIGHT_INSTANCES_FILE'];
const runs = process.env['FLEETWRIGHT_PROPERTY_RUNS'];
let instances = 0;

fc.configureGlobal({
  ...(runs !== undefined && { numRuns: Number(runs) }),
  beforeEach: () => {
    instances += 1;
  },
});

afterAll(() => {
  if (file !== undefined && instances > 0) appendFileSync(file, `${instances}\n`);
});
