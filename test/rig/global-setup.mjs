import { startBroker } from './broker.mjs';
import { parts, stateOf } from './build.mjs';

/** Runs once per test run, in the runner's own process; the tests read what it leaves in the environment. */
export default async function setUp() {
  for (const part of parts) {
    const { state, reason } = stateOf(part);
    process.env[`FLEETWRIGHT_TEST_${part.toUpperCase()}`] =
      state === 'missing' ? `missing: ${reason}` : state;
  }
  globalThis.__fleetwrightRig = await startBroker();
  process.env.FLEETWRIGHT_TEST_BROKER = globalThis.__fleetwrightRig.address;
}
