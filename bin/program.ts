import { Command } from 'commander';
import { COMMANDS } from './commands/index.js';
import type { Outcome } from './outcome.js';
import type { World } from './world.js';

/** The command tree. Nothing runs, and nothing heavy is loaded, until it parses arguments. */
export function createProgram(world: World, outcome: Outcome): Command {
  const program = new Command('fleetwright')
    .description('Plan, review and roll out Kubernetes applications over many clusters.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show help of a command')
    .showHelpAfterError('(add --help for the options and an example)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      getOutHelpWidth: () => Math.min(110, world.stdout.columns),
      getErrHelpWidth: () => Math.min(110, world.stderr.columns),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const add of COMMANDS) add(program, world, outcome);
  return program;
}

const VERSION = '0.1.0';
