#!/usr/bin/env node
/**
 * The suites that are too slow for every run: `npm run check:slow` and `npm run check:faults`.
 *
 * Plain Node; expects installed packages. Arguments after the suite's name go to jest. Numbers of the table can be replaced
 * by setting the variables before, as for a first try: `FLEETWRIGHT_PROPERTY_RUNS=1000 npm run check:slow`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** One line per test file, written by test/properties/count-instances.ts. */
const COUNTS = join(ROOT, '.tmp', 'property-instances');

/** Laws over generated input: more than a million instances in all. And rollouts that are killed or lied to. */
const SUITES = {
  slow: [
    {
      paths: ['test/engine/schedule', 'test/engine/override', 'test/engine/claim'],
      env: { FLEETWRIGHT_PROPERTY_RUNS: '60000' },
    },
    {
      paths: ['test/properties', 'test/engine/pipeline'],
      env: { FLEETWRIGHT_PROPERTY_RUNS: '4000' },
    },
  ],
  faults: [
    {
      paths: ['test/providers/rollout', 'test/providers/cluster/retry'],
      env: { FLEETWRIGHT_KILL_EVERY: '1' },
    },
  ],
};

const [name = '', ...rest] = process.argv.slice(2);
if (!Object.hasOwn(SUITES, name)) {
  process.stderr.write(`usage: node scripts/suites.mjs ${Object.keys(SUITES).join('|')}\n`);
  process.exit(1);
}
mkdirSync(dirname(COUNTS), { recursive: true });
rmSync(COUNTS, { force: true });
const codes = SUITES[name].map((suite) => runJest(suite, rest));
process.stdout.write(`${countInstances().toLocaleString('en-US')} generated instances\n`);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

function runJest({ paths, env }, args) {
  const jest = join('node_modules', 'jest', 'bin', 'jest.js');
  const options = [
    '--setupFilesAfterEnv=<rootDir>/test/properties/count-instances.ts',
    '--testTimeout=7200000',
  ];
  const { status } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', jest, ...options, ...args, ...paths],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...env, ...process.env, FLEETWRIGHT_INSTANCES_FILE: COUNTS },
    },
  );
  return status ?? 1;
}

function countInstances() {
  try {
    return readFileSync(COUNTS, 'utf8')
      .split('\n')
      .reduce((sum, line) => sum + Number(line), 0);
  } catch {
    return 0;
  }
}
