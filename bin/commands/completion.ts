import type { Command } from 'commander';
import { withExample } from '../options.js';

/** In the help of every run; the work is done by {@link addShellCompletion}, which `main` adds when it is asked for. */
export function addCompletion(program: Command): void {
  withExample(
    program
      .command('completion <shell>')
      .description('print a script that completes commands in bash, zsh, fish or powershell'),
    'fleetwright completion bash',
  );
}

/** Whether these arguments ask for completion: the script, or (from the script, at each tab) suggestions. */
export function asksForCompletion(args: readonly string[]): boolean {
  return (
    (args[0] === 'completion' || args[0] === 'complete') &&
    !args.includes('--help') &&
    !args.includes('-h')
  );
}

/** Commands `completion` and, hidden, `complete`, made from the command tree (ADR 0081). They print to the real stdout. */
export async function addShellCompletion(program: Command): Promise<void> {
  const { default: tab } = await import('@bomb.sh/tab/commander');
  tab(program, { completionCommandName: 'completion' });
  // The library prints by itself. What it prints for bash cannot be sourced twice in one shell: ~/.bashrc is.
  const { log } = console;
  program.hook('preAction', () => {
    console.log = (...texts: readonly unknown[]): void => log(...texts.map(sourceable));
  });
  program.hook('postAction', () => {
    console.log = log;
  });
}

function sourceable(text: unknown): unknown {
  return typeof text === 'string' ? text.replace(/^readonly (?=\w+=)/gm, '') : text;
}
