import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { FleetLock } from '../../lib/api/fleet-lock.js';
import { readLock } from '../../lib/providers/lock/index.js';
import type {
  PreparedRollback,
  RolloutReport,
  runRollout as RunRollout,
} from '../../lib/providers/rollout/index.js';
import { readFleet } from '../../lib/providers/source/index.js';
import { type Access, withClusters } from '../access.js';
import { applicationOf } from '../gather.js';
import { differencesOf } from '../difference.js';
import { stoppable } from '../interruption.js';
import { NO_ROLLBACK } from '../karmada-destroy.js';
import {
  type AccessFlags,
  type InputFlags,
  withAccess,
  withExample,
  withInputs,
  withOutput,
} from '../options.js';
import type { Outcome } from '../outcome.js';
import { type ProgressFlags, showProgress } from '../progress.js';
import { Refusal } from '../refusal.js';
import {
  describeNoWay,
  describePrepared,
  describeRevisions,
  describeRolledBack,
  restoreFiles,
} from '../rollback-report.js';
import { type Settings, settle } from '../settings.js';
import { canColour, type World } from '../world.js';

type Flags = InputFlags &
  AccessFlags &
  ProgressFlags & {
    readonly to?: string;
    readonly list?: boolean;
    readonly leaveSecrets?: boolean;
    readonly yes?: boolean;
  };

export function addRollback(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('rollback')
    .description(
      'bring back what the clusters had when an earlier rollout was done, last wave first',
    )
    .option(
      '--to <revision>',
      'which kept revision (default what was there before, further back each time)',
    )
    .option('--list', 'show what is kept, and change nothing')
    .option('--leave-secrets', 'leave Secrets that changed since as they are')
    .option('-y, --yes', 'do not ask')
    .option('--events-json', 'print progress as one JSON object a line on stdout')
    .action(async (flags: Flags) => {
      outcome.code = await withClusters(flags, world, (access) =>
        rollback(flags, world, access, outcome.args),
      );
    });
  withExample(
    withOutput(withAccess(withInputs(command, { unread: ['profile', 'frozen', 'reschedule'] }))),
    'fleetwright rollback --list --app nginx',
    'fleetwright rollback --to 1 --app nginx --yes',
  );
}

interface Target {
  readonly application: string;
  readonly environment?: string;
  readonly clusters: readonly string[];
  /** Serial of the lock as it is now. */
  readonly serial?: number;
}

async function rollback(
  flags: Flags,
  world: World,
  access: Access,
  args: readonly string[],
): Promise<number> {
  const settings = settle(flags, world);
  if (settings.target === 'karmada') {
    world.stderr.write(NO_ROLLBACK);
    return 1;
  }
  const target = targetOf(settings, world);
  const rollout = await import('../../lib/providers/rollout/index.js');
  if (flags.list === true) {
    const kept = await rollout.readKeptFleet(target, target.clusters, access.connect);
    const revisions = rollout.summarize(kept);
    const { unreadable } = kept;
    world.stdout.write(
      flags.json === true
        ? `${JSON.stringify({ schemaVersion: 1, revisions, unreadable }, null, 2)}\n`
        : describeRevisions(revisions),
    );
    for (const { failure } of unreadable) world.stderr.write(`error   ${failure.message}\n`);
    return unreadable.length === 0 ? 0 : 1;
  }
  const to = numberOf(flags.to);
  const prepared = await rollout.prepareRollback(
    {
      ...target,
      ...(to !== undefined && { to }),
      leaveSecrets: flags.leaveSecrets === true,
      acknowledge: settings.acknowledge,
      now: settings.now,
    },
    access.connect,
  );
  if (prepared === undefined) {
    const known = await rollout.readKeptFleet(target, target.clusters, access.connect);
    world.stderr.write(describeNoWay(target.application, to, known, args));
    return 1;
  }
  const quiet = flags.json === true || flags.eventsJson === true;
  const output = quiet ? world.stderr : world.stdout;
  const found = differencesOf(await rollout.readRollbackChanges(prepared, access.connect));
  output.write(describePrepared(prepared, found, canColour(output, world, flags)));
  const obstacles = rollout.describeObstacles(prepared);
  for (const obstacle of obstacles) world.stderr.write(`error   ${obstacle}\n`);
  if (prepared.refusals.length > 0) {
    world.stderr.write(`\n${WAY_OUT}\n`);
    return 1;
  }
  if (!(await isConfirmed(prepared, flags, world))) return 1;

  const report = await run(prepared, flags, world, access, rollout.runRollout);
  if (quiet)
    world.stdout.write(
      `${JSON.stringify({ revision: prepared.revision, changes: found, ...report })}\n`,
    );
  else world.stdout.write(describeRolledBack(prepared, report, args));
  if (report.outcome === 'done') await tellWhatIsLeft(prepared, settings, target, world, args);
  return report.outcome === 'done' && obstacles.length === 0 ? 0 : 1;
}

async function tellWhatIsLeft(
  { lockSerial }: PreparedRollback,
  { lock, fleet, sources }: Settings,
  { serial }: Target,
  world: World,
  args: readonly string[],
): Promise<void> {
  const { commitOfLock } = await import('../../lib/providers/git/index.js');
  const commit = commitOfLock(world.cwd, lock, lockSerial);
  const hint = restoreFiles(lockSerial, {
    lock,
    fleet,
    sources,
    args,
    ...(serial !== undefined && { current: serial }),
    ...(commit !== undefined && { commit }),
  });
  if (hint !== undefined) world.stderr.write(`\n${hint}\n`);
}

const WAY_OUT =
  'Nothing was changed. Put the old Secret back and run again, or leave Secrets as they are with --leave-secrets; or roll forward: restore the old templates from git and run `fleetwright up`.';

/** Where to look: all clusters that the lock or the fleet names. */
function targetOf(settings: Settings, world: World): Target {
  const file = resolve(world.cwd, settings.lock);
  const read = readLock(file, settings.lock);
  if (!read.ok) throw new Refusal(read.diagnostics);
  const { env: environment } = settings;
  const lock = read.value;
  const locked = lock === undefined ? undefined : applicationOf(lock.metadata.name, environment);
  const application = settings.app ?? locked;
  if (application === undefined)
    throw new Error(`${settings.lock} does not exist: name the application with --app.`);
  if (locked !== undefined && locked !== application)
    throw new Error(`${settings.lock} belongs to "${locked}", not to "${application}".`);
  const clusters = new Set([...clustersOf(lock), ...fleetOf(settings, world)]);
  return {
    application,
    ...(environment !== undefined && { environment }),
    clusters: [...clusters].sort(),
    ...(lock !== undefined && { serial: lock.serial }),
  };
}

function clustersOf(lock: FleetLock | undefined): readonly string[] {
  return (lock?.bindings ?? []).flatMap((binding) => [
    ...Object.keys(binding.clusters),
    ...(binding.followed ?? []),
  ]);
}

function fleetOf(settings: Settings, world: World): readonly string[] {
  if (!existsSync(resolve(world.cwd, settings.fleet))) return [];
  const { fleet, diagnostics } = readFleet(settings.fleet, { cwd: world.cwd });
  if (fleet === undefined) throw new Refusal(diagnostics);
  return fleet.clusters.flatMap(({ metadata }) =>
    metadata.name === undefined ? [] : [metadata.name],
  );
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(`--to: expected the number of a revision, found "${text}"`);
}

async function isConfirmed(
  { plan }: PreparedRollback,
  flags: Flags,
  world: World,
): Promise<boolean> {
  if (flags.yes === true) return true;
  const answer = await world.ask(`\nRoll ${plan.releases.length} clusters back? [y/N] `);
  if (answer !== undefined && /^y(es)?$/i.test(answer.trim())) return true;
  world.stderr.write(
    answer === undefined
      ? 'Nobody to ask: nothing was changed. Give --yes to roll back without asking.\n'
      : 'Nothing was changed.\n',
  );
  return false;
}

async function run(
  { plan }: PreparedRollback,
  flags: Flags,
  world: World,
  access: Access,
  runRollout: typeof RunRollout,
): Promise<RolloutReport> {
  const view = await showProgress(plan, world, flags);
  return stoppable(world, view, (signal) =>
    runRollout(plan, access.connect, { signal, onEvent: view.onEvent }),
  );
}
