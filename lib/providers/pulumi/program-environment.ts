/** What the Pulumi program's process says; the only place of the program's side that looks at it. */
export interface ProgramEnvironment {
  /** The Pulumi project's folder. */
  readonly cwd: string;
  readonly isCi: boolean;
  readonly now: string;
}

/** A Pulumi program has no bin that could pass these: the second exception to rule 2.3 of the style guide. */
export function readProgramEnvironment(): ProgramEnvironment {
  /* eslint-disable no-restricted-properties -- as said above */
  const ci = process.env['CI'] ?? '';
  return {
    cwd: process.cwd(),
    isCi: !['', '0', 'false'].includes(ci),
    now: new Date().toISOString(),
  };
  /* eslint-enable no-restricted-properties */
}
