import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  fromResourceBindings,
  readLock,
  toResourceBindings,
  writeLock,
} from '../../lib/providers/lock/index.js';
import { printDocuments, readSources } from '../../lib/providers/source/index.js';
import { applicationMark } from '../../lib/engine/plan.js';
import { gather } from '../gather.js';
import {
  type InputFlags,
  type OutputFlags,
  withExample,
  withInputs,
  withOutput,
} from '../options.js';
import { decide } from '../planning.js';
import type { Outcome } from '../outcome.js';
import { Refusal } from '../refusal.js';
import { needApplicable, report } from '../report.js';
import { type Settings, settle } from '../settings.js';
import type { World } from '../world.js';

type Flags = InputFlags & OutputFlags & { readonly export?: boolean; readonly import?: string };

export function addLock(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('lock')
    .description('write the decisions of a plan to the lock, and nothing else')
    .option('--export', 'print the lock as ResourceBindings')
    .option(
      '--import <file>',
      'start a lock from live ResourceBindings, e.g. of `kubectl get rb,crb -A -o yaml`',
    )
    .action(async (flags: Flags) => {
      const settings = settle(flags, world);
      if (flags.export === true) exportLock(settings, world, flags);
      else if (flags.import !== undefined) importLock(settings, flags.import, world, flags);
      else outcome.code = await writeTheLock(settings, world, flags);
    });
  withExample(withOutput(withInputs(command)), 'fleetwright lock -f karmada/ --app nginx');
}

async function writeTheLock(settings: Settings, world: World, flags: Flags): Promise<number> {
  const { input, places } = await gather(settings, world);
  const plan = decide(input, places, settings.frozen);
  needApplicable(plan, world, flags);
  report(plan.diagnostics, world, flags);
  const isNew = writeLock(resolve(world.cwd, settings.lock), plan.lock);
  const { lockChanges: changes } = plan;
  if (flags.json === true)
    world.stdout.write(
      `${JSON.stringify({ lock: settings.lock, written: isNew, serial: plan.lock.serial, changes }, null, 2)}\n`,
    );
  else
    world.stdout.write(
      `${settings.lock}: ${isNew ? `written, serial ${plan.lock.serial}` : 'unchanged'}\n${changes.map((line) => `  ${line}\n`).join('')}`,
    );
  return 0;
}

function exportLock(settings: Settings, world: World, flags: Flags): void {
  const lock = readLock(resolve(world.cwd, settings.lock), settings.lock);
  if (!lock.ok) throw new Refusal(lock.diagnostics);
  if (lock.value === undefined)
    throw new Error(`${settings.lock} does not exist: there is nothing to export.`);
  const bindings = toResourceBindings(lock.value);
  world.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: bindings }, null, 2)}\n`
      : printDocuments(bindings),
  );
}

function importLock(settings: Settings, file: string, world: World, flags: Flags): void {
  const path = resolve(world.cwd, settings.lock);
  const before = readLock(path, settings.lock);
  if (!before.ok) throw new Refusal(before.diagnostics);
  if (before.value !== undefined)
    throw new Error(`${settings.lock} exists: remove it first to start from live bindings.`);
  const { documents, diagnostics } = readSources([file], { cwd: world.cwd });
  if (diagnostics.length > 0) throw new Refusal(diagnostics);
  const application = settings.app ?? 'default';
  const name = applicationMark({
    application,
    ...(settings.env !== undefined && { environment: settings.env }),
  });
  const lock = fromResourceBindings(
    name,
    documents.map((d) => d.object),
    settings.now,
  );
  writeLock(path, lock);
  const imported = lock.bindings.length;
  world.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ lock: settings.lock, imported }, null, 2)}\n`
      : `${settings.lock}: ${imported} bindings imported\n`,
  );
}
