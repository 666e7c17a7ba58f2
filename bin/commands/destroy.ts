import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { FleetLock } from '../../lib/api/fleet-lock.js';
import { readLock, writeLock } from '../../lib/providers/lock/index.js';
import { type Access, contextsOf, withClusters } from '../access.js';
import {
  describeDestroyed,
  describeLooks,
  describeWaiting,
  describeWaves,
  obstaclesTo,
} from '../destroy-report.js';
import { listed } from '../flag-values.js';
import { applicationOf } from '../gather.js';
import { INTERRUPTED, stoppable } from '../interruption.js';
import { KARMADA_CONTEXT, type KarmadaFlags, karmadaContextOption } from '../karmada.js';
import {
  describeDestroy,
  describeDestroyed as describeDestroyedTemplates,
  destroyThroughControlPlane,
} from '../karmada-destroy.js';
import {
  type AccessFlags,
  type InputFlags,
  type OutputFlags,
  repeat,
  withAccess,
  withExample,
  withInputs,
  withOutput,
} from '../options.js';
import type { Outcome } from '../outcome.js';
import { Refusal } from '../refusal.js';
import { type Settings, settle } from '../settings.js';
import type { World } from '../world.js';

type Flags = InputFlags &
  AccessFlags &
  OutputFlags &
  KarmadaFlags & { readonly yes?: boolean; readonly skip?: readonly string[] };

export function addDestroy(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('destroy')
    .description('remove the application from every cluster that its lock names')
    .option('-y, --yes', 'do not ask')
    .addOption(
      new Option(
        '--skip <cluster>',
        'leave a cluster out, e.g. one that is dead; the lock remembers it; repeatable',
      ).argParser(repeat),
    )
    .addOption(karmadaContextOption())
    .action(async (flags: Flags) => {
      outcome.code = await withClusters(flags, world, (access) => destroy(flags, world, access));
    });
  withExample(
    withOutput(withAccess(withInputs(command, { unread: UNREAD }))),
    'fleetwright destroy --app nginx --yes',
  );
}

/** It plans nothing: what is there and the lock say what goes. */
const UNREAD = ['file', 'fleet', 'profile', 'reschedule'] as const;

/** What is deleted is what the application's set on each cluster lists; the lock only says where to look. */
async function destroy(flags: Flags, world: World, access: Access): Promise<number> {
  const settings = settle(flags, world);
  const lock = lockOf(settings, world);
  const environment = settings.env;
  const application = applicationOf(lock.metadata.name, environment);
  if (settings.target === 'karmada') return destroyKarmada(lock, settings, flags, world, access);
  const skipped = new Set(flags.skip);
  const everywhere = new Set(
    lock.bindings.flatMap((b) => [...Object.keys(b.clusters), ...(b.followed ?? [])]),
  );
  for (const cluster of skipped)
    if (!everywhere.has(cluster))
      throw new Error(
        `--skip ${cluster}: ${lock.metadata.name} is not on that cluster. It is on ${listed([...everywhere].sort())}.`,
      );
  const clusters = [...everywhere].filter((cluster) => !skipped.has(cluster)).sort();
  if (clusters.length === 0) {
    world.stdout.write(`${lock.metadata.name} is on no cluster: nothing to do.\n`);
    return 0;
  }
  const owner = { application, ...(environment !== undefined && { environment }) };
  const { lookBeforeDestroy, planDestroy, runDestroy } =
    await import('../../lib/providers/rollout/index.js');
  const { acknowledge } = settings;
  const looks = await lookBeforeDestroy(owner, clusters, access.connect, { acknowledge });
  const obstacles = obstaclesTo(looks, contextsOf(flags));
  if (obstacles.length > 0) throw new Refusal(obstacles);
  const waves = await planDestroy(owner, clusters, access.connect);
  if (flags.json !== true) world.stdout.write(describeLooks(looks) + describeWaves(waves));
  if (!(await isConfirmed(lock.metadata.name, clusters, flags, world))) return 1;

  const showing = {
    say: (message: string) => world.stderr.write(`${message}\n`),
    end: () => undefined,
  };
  const report = await stoppable(world, showing, (signal) =>
    runDestroy(owner, waves, access.connect, {
      signal,
      acknowledge,
      now: settings.now,
      onProgress: (cluster, progress) => world.stderr.write(describeWaiting(cluster, progress)),
    }),
  );
  const gone = report.clusters.flatMap((r) => (r.outcome === 'done' ? [r.cluster] : []));
  if (!settings.frozen) writeLock(resolve(world.cwd, settings.lock), without(lock, new Set(gone)));
  world.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ schemaVersion: 1, ...report }, null, 2)}\n`
      : describeDestroyed(report),
  );
  if (report.outcome === 'aborted') return INTERRUPTED;
  return report.outcome === 'done' ? 0 : 1;
}

/** Members are not contacted: the control plane deletes there. */
async function destroyKarmada(
  lock: FleetLock,
  settings: Settings,
  flags: Flags,
  world: World,
  access: Access,
): Promise<number> {
  (flags.json === true ? world.stderr : world.stdout).write(describeDestroy(lock));
  if (!(await isConfirmed(lock.metadata.name, ['the control plane'], flags, world))) return 1;
  const client = await access.connect(flags.karmadaContext ?? KARMADA_CONTEXT);
  const { results, lock: left } = await destroyThroughControlPlane(lock, client);
  if (!settings.frozen) writeLock(resolve(world.cwd, settings.lock), left);
  world.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ schemaVersion: 1, templates: results }, null, 2)}\n`
      : describeDestroyedTemplates(results),
  );
  return left.bindings.length === 0 ? 0 : 1;
}

function lockOf(settings: Settings, world: World): FleetLock {
  const lock = readLock(resolve(world.cwd, settings.lock), settings.lock);
  if (!lock.ok) throw new Refusal(lock.diagnostics);
  if (lock.value === undefined)
    throw new Error(
      `${settings.lock} does not exist: no application is known. Name its lock with --lock.`,
    );
  const { name } = lock.value.metadata;
  if (settings.app !== undefined && applicationOf(name, settings.env) !== settings.app) {
    throw new Error(
      `${settings.lock} belongs to "${name}", not to "${settings.app}": nothing was removed.`,
    );
  }
  return lock.value;
}

/** The name must be typed: `y` is too easily said. */
async function isConfirmed(
  name: string,
  clusters: readonly string[],
  flags: Flags,
  world: World,
): Promise<boolean> {
  if (flags.yes === true) return true;
  const answer = await world.ask(
    `Remove ${name} from ${clusters.join(', ')}? Type its name to go on: `,
  );
  if (answer?.trim() === name) return true;
  world.stderr.write(
    answer === undefined
      ? 'Nobody to ask: nothing was removed. Give --yes to remove without asking.\n'
      : 'Nothing was removed.\n',
  );
  return false;
}

/** The lock without clusters that are clean; what could not be removed stays known. */
function without(lock: FleetLock, gone: ReadonlySet<string>): FleetLock {
  const bindings = lock.bindings
    .map((binding) => ({
      ...binding,
      clusters: Object.fromEntries(
        Object.entries(binding.clusters).filter(([cluster]) => !gone.has(cluster)),
      ),
      ...(binding.followed !== undefined && {
        followed: binding.followed.filter((cluster) => !gone.has(cluster)),
      }),
    }))
    .filter(
      (binding) => Object.keys(binding.clusters).length > 0 || (binding.followed ?? []).length > 0,
    );
  return { ...lock, serial: lock.serial + 1, bindings };
}
