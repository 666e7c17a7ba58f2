import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { writeFileAtomic } from '../../lib/providers/lock/index.js';
import { type OutputFlags, withExample, withOutput } from '../options.js';
import { cliProject } from '../templates/cli.js';
import { gitopsProject } from '../templates/gitops.js';
import { pulumiProject } from '../templates/pulumi.js';
import type { World } from '../world.js';

const TEMPLATES = { cli: cliProject, pulumi: pulumiProject, gitops: gitopsProject } as const;
const NEXT = {
  cli: 'fleetwright plan',
  pulumi: 'npm install && pulumi preview',
  gitops: 'fleetwright plan && fleetwright synth',
} as const satisfies Record<keyof typeof TEMPLATES, string>;

type Flags = OutputFlags & { readonly template: keyof typeof TEMPLATES };

export function addInit(program: Command, world: World): void {
  const command = program
    .command('init [folder]')
    .description('make a project with an example')
    .addOption(
      new Option('--template <name>', 'how the project reaches clusters')
        .choices(Object.keys(TEMPLATES))
        .default('cli'),
    )
    .action((folder: string | undefined, flags: Flags) => init(folder ?? '.', flags, world));
  withExample(withOutput(command), 'fleetwright init shop --template cli');
}

/** Nothing is written if any file is there already. */
function init(folder: string, { template, json }: Flags, world: World): void {
  const root = resolve(world.cwd, folder);
  const files = TEMPLATES[template](world.now());
  const there = Object.keys(files).filter((path) => existsSync(join(root, path)));
  if (there.length > 0)
    throw new Error(
      `${there.join(', ')} ${there.length === 1 ? 'exists' : 'exist'} already in ${relative(world.cwd, root) || '.'}: choose an empty folder.`,
    );
  for (const [path, text] of Object.entries(files)) writeFileAtomic(join(root, path), text);
  const paths = Object.keys(files).sort();
  if (json === true)
    world.stdout.write(`${JSON.stringify({ folder, template, files: paths }, null, 2)}\n`);
  else {
    const enter = folder === '.' ? '' : `cd ${folder} && `;
    world.stdout.write(
      `${paths.map((path) => `+ ${join(folder, path)}\n`).join('')}Next: ${enter}${NEXT[template]}\n`,
    );
  }
}
