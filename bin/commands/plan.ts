import type { Command } from 'commander';
import { toPlanDocument } from '../../lib/engine/describe/index.js';
import { countDrift, type ObjectDrift } from '../../lib/engine/rollout/index.js';
import { type Access, withClusters } from '../access.js';
import { describeCorrections } from '../drift.js';
import { askServers, type DryRunFlags, dryRunOption } from '../dry-run.js';
import { type Gathered, gather } from '../gather.js';
import { findingsOf, showSteps } from '../karmada.js';
import { driftFrom } from '../live-drift.js';
import {
  type AccessFlags,
  type InputFlags,
  type OutputFlags,
  withAccess,
  withExample,
  withInputs,
  withOutput,
} from '../options.js';
import { type Decided, decide, decideLive, exitCodeOf, showPlan } from '../planning.js';
import type { Outcome } from '../outcome.js';
import { report } from '../report.js';
import { type Settings, settle } from '../settings.js';
import type { World } from '../world.js';

type Flags = InputFlags &
  AccessFlags &
  OutputFlags &
  DryRunFlags & { readonly live?: boolean; readonly detailedExitcode?: boolean };

interface Shown extends Decided {
  readonly drift: readonly ObjectDrift[];
}

export function addPlan(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('plan')
    .description('show what would run where, how many, why, and in which wave; changes nothing')
    .option('--live', 'compare with the objects on the clusters too')
    .addOption(dryRunOption())
    .option('--detailed-exitcode', 'exit with 2 when changes are pending')
    .action(async (flags: Flags) => {
      outcome.code = await showThePlan(flags, world);
    });
  withExample(
    withOutput(withAccess(withInputs(command))),
    'fleetwright plan -f karmada/ --fleet fleet.yaml',
    'helm template shop ./chart | fleetwright plan -f policies/ -f -',
  );
}

/** Read, and with what somebody changed there counted. */
async function decideWithDrift(
  gathered: Gathered,
  settings: Settings,
  access: Access,
): Promise<Shown> {
  const { plan, input } = await decideLive(gathered, settings, access);
  const drift = settings.target === 'members' ? await driftFrom({ plan, input }, access) : [];
  return { plan: countDrift(plan, drift), input, drift };
}

async function showThePlan(flags: Flags, world: World): Promise<number> {
  const settings = settle(flags, world);
  const gathered = await gather(settings, world);
  const fromFiles = (): Shown => ({
    drift: [],
    plan: decide(gathered.input, gathered.places, settings.frozen),
    input: gathered.input,
  });
  const { plan, input, drift } =
    flags.live !== true && flags.dryRun === undefined
      ? fromFiles()
      : await withClusters(flags, world, async (access) => {
          const decided =
            flags.live === true ? await decideWithDrift(gathered, settings, access) : fromFiles();
          if (flags.dryRun === undefined) return decided;
          return { ...decided, plan: await askServers(decided.plan, decided.input, access) };
        });
  world.stdout.write(
    flags.json === true
      ? `${JSON.stringify(toPlanDocument(plan), null, 2)}\n`
      : showPlan(plan, input, world.stdout, world, flags) +
          showSteps(plan, input, settings) +
          describeCorrections(plan, drift),
  );
  report([...plan.diagnostics, ...findingsOf(plan, input, settings)], world, flags);
  return exitCodeOf(plan, flags.detailedExitcode === true);
}
