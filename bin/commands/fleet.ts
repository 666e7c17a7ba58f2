import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Cluster } from '../../lib/api/cluster.js';
import { compareBy, sorted } from '../../lib/engine/compare.js';
import type { FleetSnapshot } from '../../lib/providers/inventory/index.js';
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
  OutputFlags & {
    readonly context?: readonly string[];
    readonly fleet?: string;
    readonly recordUnreachable?: boolean;
  };

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
    .option(
      '--record-unreachable',
      'when no cluster answers at all, record all of them as not ready',
    )
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

/**
 * What people wrote into the fleet (labels, taints, regions) stays; a cluster that does not answer while others do keeps what was
 * known of it, as not ready. A mistake on this side, or silence everywhere, says nothing about clusters: nothing is written.
 */
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
  const taken = await snapshotFleet(access.connect, names, { now: settings.now, previous });
  // Clusters that were not asked for stay as they are.
  const seen = new Set(taken.clusters.map((c) => c.metadata.name));
  const all = sorted(
    [...taken.clusters, ...previous.filter((c) => !seen.has(c.metadata.name))],
    compareBy((cluster) => cluster.metadata.name ?? ''),
  );
  const reason = reasonToKeep(taken, flags);
  if (reason === undefined) writeFileAtomic(file, printDocuments(all));
  report(taken.diagnostics, world, flags);
  world.stdout.write(
    flags.json === true
      ? toJson(taken, settings.fleet, reason === undefined)
      : reason === undefined
        ? `${settings.fleet}: ${describeTaken(taken, all.length)}\n`
        : `${settings.fleet} is ${existsSync(file) ? 'unchanged' : 'not written'}: ${reason}.\n`,
  );
  return taken.diagnostics.some((d) => d.severity === 'error') ? 1 : 0;
}

/** Why the file must stay as it is, if it must. */
function reasonToKeep(
  { clusters, unreachable, notAsked }: FleetSnapshot,
  { recordUnreachable }: Flags,
): string | undefined {
  if (notAsked.length > 0) return 'correct what is wrong on this side first';
  if (clusters.length > unreachable.length || recordUnreachable === true) return undefined;
  return 'no cluster answered, which is more likely a fault on the way to them (record them as not ready with --record-unreachable)';
}

function describeTaken({ clusters, unreachable }: FleetSnapshot, inFleet: number): string {
  const read = `${clusters.length - unreachable.length} of ${inFleet} clusters read`;
  if (unreachable.length === 0) return read;
  const subject = unreachable.length === 1 ? 'it did' : 'they did';
  return `${read}; recorded as not ready, since ${subject} not answer: ${unreachable.join(', ')}`;
}

function toJson(
  { clusters, unreachable, notAsked, diagnostics }: FleetSnapshot,
  fleet: string,
  written: boolean,
): string {
  const silent = new Set(unreachable);
  const read = clusters.map(({ metadata }) => metadata.name ?? '').filter((n) => !silent.has(n));
  return `${JSON.stringify({ fleet, written, clusters: read, unreachable, notAsked, diagnostics }, null, 2)}\n`;
}

function previousClusters(path: string, world: World): readonly Cluster[] {
  const { fleet, diagnostics } = readFleet(path, { cwd: world.cwd });
  if (fleet === undefined) throw new Refusal(diagnostics);
  return fleet.clusters;
}
