import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { writeFileAtomic } from '../../lib/providers/lock/index.js';
import type { ClusterSpec, Sandbox, SavedSandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { type OutputFlags, withExample, withOutput } from '../options.js';
import type { World } from '../world.js';

type Flags = OutputFlags & {
  readonly clusters: string;
  readonly dir: string;
  readonly fresh?: boolean;
};

const KUBECONFIG = 'sandbox.kubeconfig';
const FLEET = 'fleet.yaml';
const STATE = join('.fleetwright', 'sandbox.json');
const REGIONS = ['eu', 'us', 'ap'] as const;

export function addSandbox(program: Command, world: World): void {
  const command = program
    .command('sandbox')
    .description('run simulated clusters until Ctrl-C; writes a kubeconfig and a fleet for them')
    .option(
      '--clusters <count>',
      'how many, over three regions; an earlier sandbox keeps its own',
      '4',
    )
    .option('--dir <folder>', `where to write ${KUBECONFIG}, ${FLEET} and ${STATE}`, '.')
    .option('--fresh', 'forget what an earlier sandbox held')
    .action((flags: Flags) => runSandbox(flags, world));
  withExample(withOutput(command), 'fleetwright sandbox --clusters 4');
}

/** Names and places of the clusters: eu-1, us-1, ap-1, eu-2, … */
export function sandboxClusters(count: number): ClusterSpec[] {
  return Array.from({ length: count }, (_, i) => {
    const region = REGIONS[i % REGIONS.length] ?? 'eu';
    const number = Math.floor(i / REGIONS.length) + 1;
    const labels = { tier: 'prod', ...(i === 0 && { canary: 'true' }) };
    return {
      name: `${region}-${number}`,
      region,
      zone: `${region}-${number}a`,
      provider: 'sandbox',
      labels,
    };
  });
}

async function runSandbox(flags: Flags, world: World): Promise<void> {
  const count = Number(flags.clusters);
  if (!Number.isInteger(count) || count < 1 || count > 100)
    throw new Error(`--clusters: expected a whole number from 1 to 100, found "${flags.clusters}"`);
  const root = resolve(world.cwd, flags.dir);
  refuseForeignFleet(join(root, FLEET), flags.dir);

  const { startSandbox } = await import('../../lib/providers/sandbox/index.js');
  const kept = flags.fresh === true ? undefined : readKept(join(root, STATE));
  const clusters = kept?.clusters ?? sandboxClusters(count);
  const sandbox = await startSandbox({
    clusters,
    ...(kept !== undefined && { state: kept.state }),
  });
  // Listening before saying so: who reads the announcement may stop us at once.
  const { stopped, ignore } = listen(world);
  try {
    writeSandboxFiles(root, sandbox);
    announce(sandbox, clusters, flags, world);
    await stopped;
    keepSandbox(root, clusters, sandbox);
  } finally {
    // Whatever happened: open servers keep the process alive.
    await sandbox.close();
    ignore();
  }
}

function listen(world: World): { readonly stopped: Promise<void>; readonly ignore: () => void } {
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolved) => (stop = resolved));
  const ignore = world.onInterrupt((times) => {
    // The second Ctrl-C must not wait for anything.
    if (times > 1) return world.exit(1);
    world.stderr.write(
      '\nStopping; the clusters keep what they hold for the next `fleetwright sandbox` …\n',
    );
    stop();
  });
  return { stopped, ignore };
}

/** `sandbox.kubeconfig` and `fleet.yaml` in a folder. */
export function writeSandboxFiles(root: string, sandbox: Sandbox): void {
  savePrivate(join(root, KUBECONFIG), sandbox.kubeconfig);
  writeFileAtomic(
    join(root, FLEET),
    `# Simulated clusters of \`fleetwright sandbox\`.\n${printDocuments(sandbox.fleet())}`,
  );
}

/** A fleet of real clusters is worth more than a sandbox. */
function refuseForeignFleet(file: string, folder: string): void {
  if (!existsSync(file)) return;
  const ids = [...readFileSync(file, 'utf8').matchAll(/^ {2}id: (.*)$/gm)].map(
    (match) => match[1] ?? '',
  );
  if (ids.length > 0 && ids.every((id) => id.startsWith('sandbox-'))) return;
  throw new Error(
    `${join(folder, FLEET)} describes other clusters: give another folder with --dir.`,
  );
}

function announce(
  sandbox: Sandbox,
  specs: readonly ClusterSpec[],
  { dir, json }: Flags,
  world: World,
): void {
  const clusters = specs.map(({ name }) => ({ name, server: sandbox.cluster(name).server }));
  const kubeconfig = join(dir, KUBECONFIG);
  const fleet = join(dir, FLEET);
  if (json === true) {
    world.stdout.write(`${JSON.stringify({ kubeconfig, fleet, clusters })}\n`);
    return;
  }
  world.stdout.write(
    [
      `${clusters.length} simulated clusters are up: ${clusters.map((c) => c.name).join(', ')}`,
      `  kubeconfig  ${kubeconfig}`,
      `  fleet       ${fleet}`,
      `Try  fleetwright up --kubeconfig ${kubeconfig}   or   kubectl --kubeconfig ${kubeconfig} --context ${clusters[0]?.name ?? ''} get pods -A`,
      'Ctrl-C stops them.',
      '',
    ].join('\n'),
  );
}

/** For files with tokens. */
function savePrivate(file: string, text: string): void {
  writeFileAtomic(file, '');
  chmodSync(file, 0o600);
  writeFileAtomic(file, text);
}

/** A sandbox between two runs: what its clusters are, and what they hold. */
interface KeptSandbox {
  readonly clusters: readonly ClusterSpec[];
  readonly state: SavedSandbox;
}

/** For the next `fleetwright sandbox` in this folder. */
export function keepSandbox(
  root: string,
  clusters: readonly ClusterSpec[],
  sandbox: Sandbox,
): void {
  savePrivate(join(root, STATE), `${JSON.stringify({ clusters, state: sandbox.save() })}\n`);
}

function readKept(file: string): KeptSandbox | undefined {
  if (!existsSync(file)) return undefined;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Partial<KeptSandbox>;
  const { clusters, state } = kept;
  return clusters !== undefined && state?.schemaVersion === 1 ? { clusters, state } : undefined;
}
