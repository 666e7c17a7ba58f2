import { createInterface } from 'node:readline/promises';
import { MAX_BYTES } from '../lib/providers/source/index.js';

/** A place to print to. */
export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
}

/**
 * Everything a command takes from its process. Commands get it as a value, so that tests run them in-process, and so that
 * nothing below reads the environment.
 */
export interface World {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The result: text, or one JSON document. */
  readonly stdout: Output;
  /** Progress, questions and diagnostics. */
  readonly stderr: Output;
  /** At most one byte more than a text may have: who gives more is refused without filling the memory. */
  readonly readStdin: () => Promise<Uint8Array>;
  /** Asks a person; `undefined` when nobody can answer, or no longer should. */
  readonly ask: (question: string, signal?: AbortSignal) => Promise<string | undefined>;
  /** RFC 3339. */
  readonly now: () => string;
  /** Calls back on Ctrl-C and on termination, with how many times that happened; returns how to stop listening. */
  readonly onInterrupt: (handler: (times: number) => void) => () => void;
  /** Ends the process at once, whatever it is at. */
  readonly exit: (code: number) => void;
}

/** The world of a real process. */
export function processWorld(): World {
  const { stdin, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    // `fleetwright plan | head` closes the pipe early: that is no failure, and no reason to leave a rollout half done.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    });
  }
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: outputOf(stdout),
    stderr: outputOf(stderr),
    readStdin: () => readAtMost(stdin, MAX_BYTES + 1),
    ask: async (question, signal) =>
      stdin.isTTY && stderr.isTTY ? ask(question, stdin, stderr, signal) : undefined,
    now: () => new Date().toISOString(),
    onInterrupt,
    exit: (code) => process.exit(code),
  };
}

async function readAtMost(stream: NodeJS.ReadStream, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

async function ask(
  question: string,
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const reader = createInterface({ input, output });
  // While it waits the reader takes Ctrl-C for itself: it is for the whole command.
  reader.on('SIGINT', () => {
    output.write('\n');
    process.kill(process.pid, 'SIGINT');
  });
  // The end of the input (Ctrl-D) is no answer, and none will come.
  const closed = new Promise<undefined>((resolve) =>
    reader.once('close', () => resolve(undefined)),
  );
  const answer = reader
    .question(question, signal === undefined ? {} : { signal })
    .catch((error: unknown) => {
      if (error instanceof Error && error.name === 'AbortError') return undefined;
      throw error;
    });
  try {
    return await Promise.race([answer, closed]);
  } finally {
    reader.close();
  }
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      return sizeOr(stream.columns, 100);
    },
    get rows() {
      return sizeOr(stream.rows, 24);
    },
  };
}

/** A terminal that does not know its size says 0. */
function sizeOr(size: number | undefined, otherwise: number): number {
  return size === undefined || size <= 0 ? otherwise : size;
}

function onInterrupt(handler: (times: number) => void): () => void {
  let times = 0;
  const listener = (): void => handler((times += 1));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Colours only on terminals, and never against NO_COLOR (no-color.org) or --no-color. */
export function canColour(
  output: Output,
  { env }: World,
  flags: { readonly color?: boolean } = {},
): boolean {
  const refused = flags.color === false || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return output.isTerminal && !refused;
}
