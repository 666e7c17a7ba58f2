/** What a command is told and leaves: the arguments of this run, and the exit code (0 done, 1 failed, 2 changes pending). */
export interface Outcome {
  readonly args: readonly string[];
  code: number;
}
