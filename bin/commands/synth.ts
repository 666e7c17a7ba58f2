import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { refuseUnrendered } from '../../lib/engine/unrendered.js';
import { ownerName, renderFiles, writeFiles } from '../../lib/providers/git/index.js';
import { writeLock } from '../../lib/providers/lock/index.js';
import { gather, needApplication } from '../gather.js';
import {
  type InputFlags,
  type OutputFlags,
  withExample,
  withInputs,
  withOutput,
} from '../options.js';
import { decide } from '../planning.js';
import { LAYOUTS } from '../project.js';
import type { Outcome } from '../outcome.js';
import { Refusal } from '../refusal.js';
import { needApplicable, report } from '../report.js';
import { type Settings, settle } from '../settings.js';
import type { World } from '../world.js';

type Flags = InputFlags &
  OutputFlags & {
    readonly layout?: (typeof LAYOUTS)[number];
    readonly out?: string;
    readonly repo?: string;
    readonly revision?: string;
    readonly throughWave?: string;
  };

export function addSynth(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('synth')
    .description('write the manifests of every cluster, and the lock, for a GitOps tool')
    .addOption(
      new Option('--layout <tool>', 'files for which tool (default plain)').choices(LAYOUTS),
    )
    .option('--out <folder>', 'where to write (default the project folder)')
    .option('--repo <url>', 'address of the repository, for argocd and configsync')
    .option('--revision <branch>', 'branch the tool follows (default main)')
    .option('--through-wave <name>', 'write the waves up to this one; later ones keep their files')
    .action(async (flags: Flags) => {
      outcome.code = await synthesize(flags, world);
    });
  withExample(
    withOutput(withInputs(command)),
    'fleetwright synth -f karmada/ --app nginx --layout flux --out deploy',
  );
}

async function synthesize(flags: Flags, world: World): Promise<number> {
  const settings = settle({ target: 'git', ...flags }, world);
  const { input, places } = await gather(settings, world);
  needApplication(settings, input);
  const plan = decide(input, places, settings.frozen);
  needApplicable(plan, world, flags);
  report(plan.diagnostics, world, flags);
  const unrendered = refuseUnrendered(plan);
  if (unrendered.length > 0) throw new Refusal(unrendered);

  const root = resolve(world.cwd, flags.out ?? settings.out);
  const existing = (path: string): string | undefined => {
    const file = join(root, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  const rendered = renderFiles(plan, { ...optionsOf(flags, settings), existing });
  if (!rendered.ok) throw new Refusal(rendered.diagnostics);
  const files = writeFiles(root, ownerName(plan), rendered.value);
  if (!files.ok) throw new Refusal(files.diagnostics);
  // The lock last: as long as it is old, the next run writes the same files again.
  const lockWritten = writeLock(resolve(world.cwd, settings.lock), plan.lock);

  const { written, removed, unchanged } = files.value;
  const { held } = rendered.value;
  if (flags.json === true)
    world.stdout.write(
      `${JSON.stringify({ ...files.value, held, lock: settings.lock, lockWritten }, null, 2)}\n`,
    );
  else {
    const lines = [
      ...written.map((path) => `+ ${path}`),
      ...removed.map((path) => `- ${path}`),
      ...held.map((path) => `  ${path} waits for its wave`),
    ];
    const totals = `${written.length} written, ${removed.length} removed, ${unchanged} unchanged${lockWritten ? `, ${settings.lock} written` : ''}`;
    world.stdout.write(`${[...lines, totals].join('\n')}\n`);
  }
  return 0;
}

function optionsOf(
  flags: Flags,
  settings: Settings,
): { layout: (typeof LAYOUTS)[number]; repo?: string; revision?: string; throughWave?: string } {
  const repo = flags.repo ?? settings.repo;
  const revision = flags.revision ?? settings.revision;
  return {
    layout: flags.layout ?? settings.layout,
    ...(repo !== undefined && { repo }),
    ...(revision !== undefined && { revision }),
    ...(flags.throughWave !== undefined && { throughWave: flags.throughWave }),
  };
}
