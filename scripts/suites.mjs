#!/usr/bin/env node
/**
 * The suites that are too slow for every run: `npm run check:slow` and `npm run check:faults`; the hour of `npm run check:soak` is
 * part of the first.
 *
 * Plain Node; expects installed packages. Arguments after the suite's name go to jest. Numbers of the table can be replaced
 * by setting the variables before, as for a first try: `FLEETWRIGHT_PROPERTY_RUNS=1000 FLEETWRIGHT_SOAK_MINUTES=5 npm run check:slow`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** One line per test file, written by test/properties/count-instances.ts. */
const COUNTS = join(ROOT, '.tmp', 'property-instances');
/** One JSON line per fault that was tried, written by test/faults/tally.ts. */
const FAULTS = join(ROOT, '.tmp', 'faults');
/** An hour of rollouts in one process, `FLEETWRIGHT_SOAK_MINUTES`. */
const SOAK = ['--expose-gc', '--import', 'tsx', join('test', 'soak', 'main.ts')];

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
      build: true,
      paths: [
        'test/faults',
        'test/providers/rollout',
        'test/providers/karmada',
        'test/providers/cluster',
      ],
      env: { FLEETWRIGHT_KILL_EVERY: '1', FLEETWRIGHT_FAULTS: 'all' },
    },
  ],
  soak: [],
};

const [name = '', ...rest] = process.argv.slice(2);
if (!Object.hasOwn(SUITES, name)) {
  process.stderr.write(`usage: node scripts/suites.mjs ${Object.keys(SUITES).join('|')}\n`);
  process.exit(1);
}
mkdirSync(dirname(COUNTS), { recursive: true });
for (const file of [COUNTS, FAULTS]) rmSync(file, { force: true });
const codes = SUITES[name].map((suite) => runJest(suite, rest));
if (name === 'slow')
  process.stdout.write(`${countInstances().toLocaleString('en-US')} generated instances\n`);
if (name === 'faults') process.stdout.write(describeFaults());
if (name !== 'faults') codes.push(runNode(SOAK));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

function runJest({ paths, env, build = false }, args) {
  if (
    build &&
    runNode([join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json']) !== 0
  )
    return 1;
  const jest = join('node_modules', 'jest', 'bin', 'jest.js');
  const options = [
    '--setupFilesAfterEnv=<rootDir>/test/properties/count-instances.ts',
    '--testTimeout=7200000',
  ];
  return runNode(
    ['--experimental-vm-modules', '--no-warnings', jest, ...options, ...args, ...paths],
    env,
  );
}

function runNode(args, env = {}) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...env,
      ...process.env,
      FLEETWRIGHT_INSTANCES_FILE: COUNTS,
      FLEETWRIGHT_FAULTS_FILE: FAULTS,
    },
  });
  return status ?? 1;
}

/** A line per fault: how often it was tried and how often all laws held. */
function describeFaults() {
  const tally = new Map();
  for (const line of readLines(FAULTS)) {
    const { fault, passed } = JSON.parse(line);
    const known = tally.get(fault) ?? { runs: 0, passed: 0 };
    tally.set(fault, { runs: known.runs + 1, passed: known.passed + (passed ? 1 : 0) });
  }
  const rows = [...tally].sort(([a], [b]) => (a < b ? -1 : 1));
  const sum = (field) => rows.reduce((total, [, counts]) => total + counts[field], 0);
  rows.push(['in all', { runs: sum('runs'), passed: sum('passed') }]);
  const width = Math.max(...rows.map(([fault]) => fault.length));
  const line = (fault, runs, passed) =>
    `${fault.padEnd(width)}  ${String(runs).padStart(5)}  ${String(passed).padStart(6)}\n`;
  return [
    line('FAULT', 'RUNS', 'PASSED'),
    ...rows.map(([fault, { runs, passed }]) => line(fault, runs, passed)),
  ].join('');
}

function countInstances() {
  return readLines(COUNTS).reduce((sum, line) => sum + Number(line), 0);
}

function readLines(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}
