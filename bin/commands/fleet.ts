import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Cluster } from '../../lib/api/cluster.js';
import { writeFileAtomic } from '../../lib/providers/lock/index.js';
import { printDocuments, readFleet } from '../../lib/providers/source/index.js';
import { type Access, contextsOf, withClusters } from '../access.js';
import {
  type AccessFlags,
  type OutputFlags,
  repeat,
  withAccess,
  withExample,
  withOutput,
} from '../options.js';
import type { Outcome } from '../outcome.js';
import { Refusal } from '../refusal.js';
import { report } from '../report.js';
import { settle } from '../settings.js';
import type { World } from '../world.js';

type Flags = AccessFlags &
  OutputFlags & { readonly context?: readonly string[]; readonly fleet?: string };

export function addFleet(program: Command, world: World, outcome: Outcome): void {
  const fleet = program.command('fleet').description('the clusters that plans are made for');
  const snapshot = fleet
    .command('snapshot')
    .description(
      'read clusters into the fleet: version, kinds served, regions, labels, capacity, conditions',
    )
    .addOption(
      new Option(
        '--context <name>',
        'cluster to read; repeatable (default: those of the fleet, and of --context-map)',
      ).argParser(repeat),
    )
    .option('--fleet <file>', 'the file to write (default fleet.yaml)')
    .action(async (flags: Flags) => {
      outcome.code = await withClusters(flags, world, (access) =>
        takeSnapshot(flags, world, access),
      );
    });
  withExample(
    withOutput(withAccess(snapshot)),
    'fleetwright fleet snapshot --context member1 --context member2',
  );
}

/** What people wrote into the fleet (labels, taints, regions) stays; clusters that do not answer keep what was known. */
async function takeSnapshot(flags: Flags, world: World, access: Access): Promise<number> {
  const settings = settle({ ...(flags.fleet !== undefined && { fleet: flags.fleet }) }, world);
  const file = resolve(world.cwd, settings.fleet);
  const previous = existsSync(file) ? previousClusters(settings.fleet, world) : [];
  const names = [
    ...(flags.context ?? previous.map((c) => c.metadata.name ?? '')),
    ...Object.keys(contextsOf(flags)),
  ];
  if (names.length === 0) throw new Error('No cluster to read: name contexts with --context.');
  const { snapshotFleet } = await import('../../lib/providers/inventory/index.js');
  const { clusters, diagnostics } = await snapshotFleet(access.connect, names, {
    now: settings.now,
    previous,
  });
  const read = new Set(clusters.map((c) => c.metadata.name));
  // Clusters that were not asked for stay as they are.
  const all = [...clusters, ...previous.filter((c) => !read.has(c.metadata.name))].sort((a, b) =>
    (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1,
  );
  const failed = diagnostics.some((d) => d.severity === 'error');
  if (clusters.length > 0) writeFileAtomic(file, printDocuments(all));
  report(diagnostics, world, flags);
  if (flags.json === true)
    world.stdout.write(
      `${JSON.stringify({ fleet: settings.fleet, clusters: clusters.map((c) => c.metadata.name), diagnostics }, null, 2)}\n`,
    );
  else
    world.stdout.write(
      clusters.length === 0
        ? 'Nothing was read.\n'
        : `${settings.fleet}: ${clusters.length} of ${all.length} clusters read\n`,
    );
  return failed ? 1 : 0;
}

function previousClusters(path: string, world: World): readonly Cluster[] {
  const { fleet, diagnostics } = readFleet(path, { cwd: world.cwd });
  if (fleet === undefined) throw new Refusal(diagnostics);
  return fleet.clusters;
}
