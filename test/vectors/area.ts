/** One recorded case: the input and, in `want`, the answer of the original. `id` is unique within its file. */
export interface Row {
  readonly id: string;
  // Vectors are looked into field by field by the area that knows them; a schema would only repeat their README.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly [field: string]: any;
}

/** Rows of companion files: file name without `.jsonl.gz`, then id. */
export type Companions = ReadonlyMap<string, ReadonlyMap<string, Row>>;

/**
 * Runs one row through the code that the pipeline calls.
 *
 * Returns what differs, in one line, or `undefined` if the answer is the recorded one. An exception counts as a mismatch.
 */
export type Check = (row: Row, companions: Companions) => string | undefined;

/** One folder of vectors. `test/vectors/areas/<area>.ts` exports one as `area`. */
export interface Area {
  /** By file name without `.jsonl.gz`. A file that is neither here nor a companion counts as failed. */
  readonly checks: Readonly<Record<string, Check>>;
  /** Files that hold data for the others, such as `fleets`; read before them and not checked themselves. */
  readonly companions?: readonly string[];
}
