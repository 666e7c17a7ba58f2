import { type Command, Option } from 'commander';

/** Flags that say what to plan from; the same on every command that plans. */
export interface InputFlags {
  readonly file?: readonly string[];
  readonly fleet?: string;
  readonly lock?: string;
  readonly app?: string;
  readonly env?: string;
  readonly profile?: 'default' | 'karmada';
  readonly target?: 'members' | 'karmada' | 'git';
  readonly frozen?: boolean;
  readonly acknowledge?: readonly string[];
  readonly now?: string;
  readonly reschedule?: true | readonly string[];
}

/** Flags that say how to reach clusters. */
export interface AccessFlags {
  readonly kubeconfig?: string;
  readonly contextMap?: readonly string[];
}

/** Flags that say how to print. */
export interface OutputFlags {
  readonly json?: boolean;
  readonly color?: boolean;
}

/** Parses a flag that may be given several times. */
export function repeat(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/**
 * What says what to plan from. `unread`: of these flags a command takes no notice, so its help does not list them. It accepts
 * them all the same: one set of flags serves `up`, `status` and `destroy` of an application.
 */
export function withInputs(
  command: Command,
  { unread = [] }: { readonly unread?: readonly (keyof InputFlags)[] } = {},
): Command {
  addInputs(command);
  for (const option of command.options)
    if ((unread as readonly string[]).includes(option.attributeName())) option.hideHelp();
  return command;
}

function addInputs(command: Command): Command {
  return command
    .addOption(
      new Option(
        '-f, --file <path>',
        'file, folder or - with templates and policies; repeatable',
      ).argParser(repeat),
    )
    .option('--fleet <file>', 'the clusters (default fleet.yaml)')
    .option('--lock <file>', 'the decisions (default fleet.lock.yaml, or fleet.ENV.lock.yaml)')
    .option('--app <name>', 'name of the application')
    .option('--env <name>', 'environment of the application, with a lock of its own')
    .addOption(
      new Option(
        '--profile <profile>',
        'feature gates: of deploy time, or of a stock control plane',
      ).choices(['default', 'karmada']),
    )
    .addOption(
      new Option('--target <target>', 'how the plan reaches clusters').choices([
        'members',
        'karmada',
        'git',
      ]),
    )
    .option('--frozen', 'refuse a plan that differs from the lock (default with CI=true)')
    .option('--no-frozen', 'allow the lock to change even with CI=true')
    .addOption(
      new Option(
        '--acknowledge <code>',
        'allow what a guard refuses, e.g. FLEET_SHRANK; repeatable',
      ).argParser(repeat),
    )
    .option('--now <time>', 'RFC 3339 time to plan for')
    .option('--reschedule [resource...]', 'decide afresh, all or KIND/NAMESPACE/NAME');
}

/**
 * An argument, also where the list of `--reschedule` before it has swallowed it: then that list's last word is meant.
 * Throws when there is none.
 */
export function argumentOf<F extends Pick<InputFlags, 'reschedule'>>(
  given: string | undefined,
  what: string,
  flags: F,
): { readonly argument: string; readonly flags: F } {
  if (given !== undefined) return { argument: given, flags };
  const listed = Array.isArray(flags.reschedule) ? (flags.reschedule as readonly string[]) : [];
  const argument = listed.at(-1);
  if (argument === undefined) throw new Error(`missing argument: ${what}`);
  const others = listed.slice(0, -1);
  return { argument, flags: { ...flags, reschedule: others.length === 0 ? true : others } };
}

export function withAccess(command: Command): Command {
  return command
    .option(
      '--kubeconfig <file>',
      'kubeconfig with a context per cluster (default $KUBECONFIG, ~/.kube/config)',
    )
    .addOption(
      new Option(
        '--context-map <cluster=context>',
        'context of a cluster whose name differs; repeatable',
      ).argParser(repeat),
    );
}

export function withOutput(command: Command): Command {
  return command
    .option('--json', 'print one JSON document')
    .option('--no-color', 'no colours (also NO_COLOR)');
}

/** Examples stand at the end of each help text and are run by the tests. */
export function withExample(command: Command, ...lines: readonly string[]): Command {
  const plural = lines.length === 1 ? 'Example' : 'Examples';
  return command.addHelpText(
    'after',
    `\n${plural}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`,
  );
}
