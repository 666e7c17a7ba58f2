import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Cluster } from '../../lib/api/cluster.js';
import { plan } from '../../lib/engine/index.js';
import type { PlanInput } from '../../lib/engine/input.js';
import { writeLock } from '../../lib/providers/lock/index.js';
import { printDocuments } from '../../lib/providers/source/print.js';
import { standardTools } from '../../lib/providers/tools.js';
import type { Bench, Figure } from './bench.js';
import { aPlanInput, FULL, withOnePlacementChanged } from './plan-data.js';

/** Made by `npm run build`. */
const COMMAND = resolve(__dirname, '../../dist/bin/fleetwright.js');

/** The files of an input in a folder of their own, as a user has them. */
function writeProject(folder: string, input: PlanInput): void {
  writeFileSync(
    join(folder, 'documents.yaml'),
    printDocuments(input.documents.map(({ object }) => object)),
  );
  writeFileSync(join(folder, 'fleet.yaml'), printDocuments(input.fleet.clusters.map(observedNow)));
  if (input.lock !== undefined) writeLock(join(folder, 'fleet.lock.yaml'), input.lock);
}

/** What the lock placed before is in the snapshot's summaries, and so not in flight. */
function observedNow(cluster: Cluster): Cluster {
  const annotations = { 'fleetwright.dev/observed-at': new Date().toISOString() };
  return { ...cluster, metadata: { ...cluster.metadata, annotations } };
}

interface Run {
  readonly cpu: number;
  readonly wall: number;
}

/** Best of some runs of a whole process, in milliseconds; its processor time as the shell's `times` counts it. */
function bestRun(runs: number, folder: string, args: readonly string[]): Run {
  const all = Array.from({ length: runs }, (): Run => {
    const started = performance.now();
    const command = [process.execPath, COMMAND, ...args].map((word) => `'${word}'`).join(' ');
    const { status, stdout } = spawnSync('bash', ['-c', `${command} >/dev/null; times`], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${args.join(' ')} failed; is dist/ built?`);
    const children = stdout.trim().split('\n')[1] ?? '';
    const cpu = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
      .map(([, minutes, seconds]) => 60_000 * Number(minutes) + 1000 * Number(seconds))
      .reduce((sum, part) => sum + part, 0);
    return { cpu, wall: performance.now() - started };
  });
  return {
    cpu: Math.min(...all.map(({ cpu }) => cpu)),
    wall: Math.min(...all.map(({ wall }) => wall)),
  };
}

const INPUTS = ['-f', 'documents.yaml', '--fleet', 'fleet.yaml', '--app', 'bench'];

function figures(name: string, { cpu, wall }: Run, atMost?: number): Figure[] {
  return [
    { name, value: cpu, unit: 'ms', ...(atMost !== undefined && { target: { atMost } }) },
    { name: '  on the wall clock', value: wall, unit: 'ms' },
  ];
}

function run(): Figure[] {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-bench-'));
  try {
    const fresh = aPlanInput(FULL);
    const { lock } = plan(fresh, standardTools());
    const help = bestRun(3, folder, ['--help']);
    writeProject(folder, withOnePlacementChanged({ ...fresh, lock }, 500));
    const again = bestRun(3, folder, ['plan', ...INPUTS]);
    rmSync(join(folder, 'fleet.lock.yaml'));
    const synth = bestRun(1, folder, ['synth', ...INPUTS, '--out', 'deploy']);
    return [
      ...figures('fleetwright --help', help),
      ...figures('fleetwright plan, one placement of 1,000 changed, with the lock', again, 2000),
      ...figures('fleetwright synth, 101,000 manifests for 1,000 clusters', synth, 45_000),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const bench: Bench = {
  title: 'Commands, from start to exit (processor time of the process)',
  run,
};
