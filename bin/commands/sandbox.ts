import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { ClusterSpec, Sandbox } from '../../lib/providers/sandbox/index.js';
import { type OutputFlags, withExample, withOutput } from '../options.js';
import {
  claimFolder,
  keepSandbox,
  readKept,
  SANDBOX_FILES,
  type WrittenFleet,
  writeSandboxFiles,
} from '../sandbox-folder.js';
import type { World } from '../world.js';

type Flags = OutputFlags & {
  readonly clusters: string;
  readonly dir: string;
  readonly fresh?: boolean;
};

const LIMITS = `
Pods become ready by themselves: images are not pulled and containers do not run, so a wrong image
works like a right one, and probes, webhooks, autoscalers and CronJobs do nothing. To see a wave
fail, write into the pod template:
  image: shop:does-not-exist                  the tag that cannot be pulled
  nodeSelector: { disk: none }                a label that no node has
  annotations: { rig/never-ready: Error }     a reason of your own; rig/ready-after: 20s is slow
kubectl sends what it generates as protobuf, which is not understood; send it as YAML:
  kubectl create configmap … --dry-run=client -o yaml | kubectl apply -f -`;
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
    .option(
      '--dir <folder>',
      `where to write ${SANDBOX_FILES.kubeconfig}, ${SANDBOX_FILES.fleet} and ${SANDBOX_FILES.state}`,
      '.',
    )
    .option('--fresh', 'forget what an earlier sandbox held')
    .action((flags: Flags) => runSandbox(flags, world));
  command.addHelpText('after', LIMITS);
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
  const release = claimFolder(root);
  try {
    await serve(root, count, flags, world);
  } finally {
    release();
  }
}

async function serve(root: string, count: number, flags: Flags, world: World): Promise<void> {
  const { startSandbox } = await import('../../lib/providers/sandbox/index.js');
  const kept = flags.fresh === true ? undefined : readKept(root);
  const clusters = kept?.clusters ?? sandboxClusters(count);
  const sandbox = await startSandbox({
    clusters,
    ...(kept !== undefined && { state: kept.state }),
  });
  // Listening before saying so: who reads the announcement may stop us at once.
  const { stopped, ignore } = listen(world);
  try {
    const fleet = writeSandboxFiles(root, sandbox);
    announce(sandbox, clusters, fleet, flags, world);
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

/** What became of a `fleet.yaml` that was there. */
const BEFORE = {
  nothing: '',
  own: '',
  sample: '  (replaced the sample fleet.yaml)',
  kept: '  (fleet.yaml is not the sandbox’s, or was edited: it stays as it is)',
} as const satisfies Record<WrittenFleet['before'], string>;

function announce(
  sandbox: Sandbox,
  specs: readonly ClusterSpec[],
  written: WrittenFleet,
  { dir, json }: Flags,
  world: World,
): void {
  const clusters = specs.map(({ name }) => ({ name, server: sandbox.cluster(name).server }));
  const kubeconfig = join(dir, SANDBOX_FILES.kubeconfig);
  const fleet = join(dir, written.file);
  if (json === true) {
    world.stdout.write(`${JSON.stringify({ kubeconfig, fleet, clusters })}\n`);
    return;
  }
  const flags = `${written.before === 'kept' ? `--fleet ${fleet} ` : ''}--kubeconfig ${kubeconfig}`;
  world.stdout.write(
    [
      `${clusters.length} simulated clusters are up: ${clusters.map((c) => c.name).join(', ')}`,
      `  kubeconfig  ${kubeconfig}`,
      `  fleet       ${fleet}${BEFORE[written.before]}`,
      `Try  fleetwright up ${flags}   or   kubectl --kubeconfig ${kubeconfig} --context ${clusters[0]?.name ?? ''} get pods -A`,
      'Ctrl-C stops them.',
      '',
    ].join('\n'),
  );
}
