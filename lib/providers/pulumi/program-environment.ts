/** What the Pulumi program's process says; the only place of the program's side that looks at it. */
export interface ProgramEnvironment {
  /** The Pulumi project's folder. */
  readonly cwd: string;
  readonly isCi: boolean;
  readonly now: string;
}

export function readProgramEnvironment(): ProgramEnvironment {
  // A Pulumi program has no bin that could pass these: the second exception to style guide, rule 2.3.
  const { env } = process;
  const ci = env['CI'] ?? '';
  // eslint-disable-next-line no-restricted-properties -- see above
  return {
    cwd: process.cwd(),
    isCi: !['', '0', 'false'].includes(ci),
    now: new Date().toISOString(),
  };
}
