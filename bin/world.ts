import { createInterface } from 'node:readline/promises';
import { text as textOf } from 'node:stream/consumers';

/** A place to print to. */
export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
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
  readonly readStdin: () => Promise<string>;
  /** Asks a person; `undefined` when nobody can answer. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** RFC 3339. */
  readonly now: () => string;
  /** Calls back on Ctrl-C and on termination, with how many times that happened; returns how to stop listening. */
  readonly onInterrupt: (handler: (times: number) => void) => () => void;
}

/** The world of a real process. */
export function processWorld(): World {
  const { stdin, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    // `fleetwright plan | head` closes the pipe early: that is no failure.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
      throw error;
    });
  }
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: outputOf(stdout),
    stderr: outputOf(stderr),
    readStdin: () => textOf(stdin),
    ask: async (question) => {
      if (!stdin.isTTY || !stderr.isTTY) return undefined;
      const reader = createInterface({ input: stdin, output: stderr });
      try {
        return await reader.question(question);
      } finally {
        reader.close();
      }
    },
    now: () => new Date().toISOString(),
    onInterrupt,
  };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 100;
    },
  };
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
