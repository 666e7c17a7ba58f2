/** Where a command leaves its exit code: 0 done or nothing to do, 1 failed, 2 changes pending. */
export interface Outcome {
  code: number;
}
