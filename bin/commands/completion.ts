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
  // The library prints by itself. What it prints for bash cannot be sourced twice in one shell, as ~/.bashrc is, and needs a
  // function of the package bash-completion, which is often missing, as `compopt` is in the bash of macOS.
  const { log } = console;
  program.hook('preAction', () => {
    console.log = (...texts: readonly unknown[]): void => log(...texts.map(sourceable));
  });
  program.hook('postAction', () => {
    console.log = log;
  });
}

function sourceable(text: unknown): unknown {
  return typeof text === 'string'
    ? text
        .replace(/^readonly (?=\w+=)/gm, '')
        .replace(WORDS_BY_PACKAGE, wordsOr)
        .replace(/^ *compopt .*$/gm, (line) => `${line} 2>/dev/null`)
    : text;
}

const WORDS_BY_PACKAGE = /^ *_get_comp_words_by_ref .*$/m;

/** The package's words where it is there; else those of bash up to the cursor, joined again where it splits at `=` and `:`. */
function wordsOr(line: string): string {
  return `    if declare -F _get_comp_words_by_ref >/dev/null; then
    ${line}
    else
        local part i
        words=()
        cword=-1
        for ((i = 0; i <= COMP_CWORD; i++)); do
            part=\${COMP_WORDS[i]}
            if ((i > 1)) && [[ "$part" == [=:]* || "\${words[cword]}" == *[=:] ]]; then
                words[cword]+=$part
            else
                words[++cword]=$part
            fi
        done
        cur=\${words[cword]}
        prev=\${words[cword > 0 ? cword - 1 : 0]}
    fi`;
}
