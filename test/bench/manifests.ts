import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PlanInput } from '../../lib/engine/input.js';
import { printDocuments } from '../../lib/providers/source/print.js';
import type { Bench, Figure } from './bench.js';
import { threeObjectsEach, withOwnOverrides } from './manifests-data.js';

/** Made by `npm run build`. */
const COMMAND = resolve(__dirname, '../../dist/bin/fleetwright.js');

/** What a process says of itself when it ends. */
const USAGE = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  require('node:fs').writeFileSync('usage.json', JSON.stringify({ cpu: userCPUTime + systemCPUTime, maxRSS }));
});`;

interface Usage {
  /** Microseconds. */
  readonly cpu: number;
  /** KiB. */
  readonly maxRSS: number;
}

/** `synth` as a process of its own, into an empty folder, and once more where nothing changed. */
function synth(name: string, input: PlanInput): Figure[] {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-bench-'));
  try {
    const now = new Date().toISOString();
    const clusters = input.fleet.clusters.map((cluster) => ({
      ...cluster,
      metadata: { ...cluster.metadata, annotations: { 'fleetwright.dev/observed-at': now } },
    }));
    writeFileSync(join(folder, 'usage.cjs'), USAGE);
    writeFileSync(
      join(folder, 'documents.yaml'),
      printDocuments(input.documents.map((d) => d.object)),
    );
    writeFileSync(join(folder, 'fleet.yaml'), printDocuments(clusters));
    return [...figures(name, run(folder), 45_000), ...figures(`${name}, again`, run(folder))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(folder: string): Usage & { readonly wall: number } {
  const started = performance.now();
  const inputs = ['-f', 'documents.yaml', '--fleet', 'fleet.yaml', '--app', 'bench'];
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', './usage.cjs', COMMAND, 'synth', ...inputs, '--out', 'deploy'],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
  );
  if (status !== 0) throw new Error(`synth failed; is dist/ built? ${stderr.slice(-2000)}`);
  const wall = performance.now() - started;
  return { ...(JSON.parse(readFileSync(join(folder, 'usage.json'), 'utf8')) as Usage), wall };
}

function figures(
  name: string,
  { cpu, wall, maxRSS }: ReturnType<typeof run>,
  atMost?: number,
): Figure[] {
  return [
    { name, value: cpu / 1000, unit: 'ms', ...(atMost !== undefined && { target: { atMost } }) },
    { name: '  on the wall clock', value: wall, unit: 'ms' },
    {
      name: '  resident memory at most',
      value: maxRSS / 2 ** 20,
      unit: 'GiB',
      target: { atMost: 1.5 },
    },
  ];
}

export const bench: Bench = {
  title: 'Manifests, rendered and written: `fleetwright synth`, 300,000 on 1,000 clusters',
  run: () => {
    const input = threeObjectsEach(1000, 1000);
    return [
      ...synth('three objects for each of 1,000 placements', input),
      ...synth('the same, different on every cluster', withOwnOverrides(input)),
    ];
  },
};
