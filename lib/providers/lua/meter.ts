/** What one call of a script may use. Counts, not a clock: the same script gives the same answer on every machine. */
export interface Limits {
  /** Instructions, and what library functions cost beside them. */
  readonly steps: number;
  /** Of all texts made, with what each costs in memory. */
  readonly textBytes: number;
  readonly tables: number;
  /** Members put into tables, whether they stay or not: each costs memory, and more time than an instruction. */
  readonly entries: number;
  /** Last resort for what is not counted. */
  readonly seconds: number;
}

export const LIMITS: Limits = {
  steps: 5_000_000,
  textBytes: 128_000_000,
  tables: 250_000,
  entries: 250_000,
  seconds: 10,
};

/** A script went beyond a limit; it cannot catch this. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** What a text costs beside its bytes. */
const TEXT_OVERHEAD = 100;

const used = { steps: 0, textBytes: 0, tables: 0, entries: 0 };
let limits: Limits | undefined;
let deadline = 0;
let exceeded: LimitError | undefined;

/** Run with a fresh meter; there is one machine at work at a time. */
export function metered<T>(own: Limits, run: () => T): T {
  Object.assign(used, { steps: 0, textBytes: 0, tables: 0, entries: 0 });
  limits = own;
  deadline = performance.now() + own.seconds * 1000;
  exceeded = undefined;
  try {
    return run();
  } finally {
    limits = undefined;
  }
}

/** The limit that the last metered run went beyond, even if the script went on for a moment. */
export function exceededLimit(): LimitError | undefined {
  return exceeded;
}

export function pay(steps: number): void {
  used.steps += steps;
  if (limits !== undefined && used.steps > limits.steps) refuse('takes too long');
}

export function payText(bytes: number): void {
  used.textBytes += bytes + TEXT_OVERHEAD;
  if (limits !== undefined && used.textBytes > limits.textBytes) refuse('uses too much memory');
}

export function payTable(): void {
  used.tables += 1;
  if (limits !== undefined && used.tables > limits.tables) refuse('uses too much memory');
}

export function payEntry(): void {
  used.entries += 1;
  if (limits !== undefined && used.entries > limits.entries) refuse('uses too much memory');
}

/** Look at the clock, and go on refusing once something was refused. */
export function checkTime(): void {
  if (exceeded !== undefined) throw exceeded;
  if (limits !== undefined && performance.now() > deadline) refuse('takes too long');
}

function refuse(what: string): never {
  exceeded ??= new LimitError(`the script ${what}`);
  throw exceeded;
}
