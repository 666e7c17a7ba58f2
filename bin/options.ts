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

export function withInputs(command: Command): Command {
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
