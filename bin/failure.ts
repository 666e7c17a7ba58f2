import { CommanderError } from 'commander';
import { describeDiagnostics } from '../lib/engine/describe/index.js';
import type { Diagnostic } from '../lib/engine/diagnostic.js';
import { InvariantError } from '../lib/engine/result.js';
import { WriteFailed } from '../lib/providers/lock/write-failed.js';
import { Refusal } from './refusal.js';
import type { Output, World } from './world.js';

/** What ended a command, for people. A bug keeps its stack, for the report; everything else is one message. */
export function describeFailure(error: unknown): string {
  if (Refusal.is(error)) return error.message;
  if (WriteFailed.is(error)) return describeDiagnostics([error.diagnostic]).trimEnd();
  if (InvariantError.is(error)) return error.stack ?? error.message;
  if (!(error instanceof Error)) return String(error);
  const isBug = ['TypeError', 'RangeError', 'ReferenceError'].includes(error.name);
  return isBug ? (error.stack ?? error.message) : `error   ${error.message}`;
}

/** The same as findings; what has no code of its own is `COMMAND_FAILED`. */
function findingsOf(error: unknown): readonly Diagnostic[] {
  if (Refusal.is(error)) return error.diagnostics;
  if (WriteFailed.is(error)) return [error.diagnostic];
  const message = error instanceof Error ? error.message : String(error);
  const summary =
    error instanceof CommanderError ? message.replace(/^error: /, '').split('\n')[0] : message;
  return [{ severity: 'error', code: 'COMMAND_FAILED', summary: summary ?? message }];
}

/**
 * What a program that reads stdout gets when a command fails before it printed anything: one JSON document with
 * `diagnostics`, or the closing event of `--events-json`. Nothing for those who asked for text.
 */
export function documentOfFailure(error: unknown, args: readonly string[]): string | undefined {
  const diagnostics = findingsOf(error);
  if (args.includes('--events-json'))
    return `${JSON.stringify({ kind: 'report', outcome: 'refused', diagnostics })}\n`;
  const format = args.indexOf('--format');
  const isJson =
    args.includes('--json') ||
    args.includes('--format=json') ||
    (format >= 0 && args[format + 1] === 'json');
  return isJson ? `${JSON.stringify({ diagnostics }, null, 2)}\n` : undefined;
}

/** The same world, which remembers whether anything was written to stdout, and the last words on stderr. */
export function watched(world: World): {
  readonly world: World;
  readonly hasPrinted: () => boolean;
  /** For a command that ended without its work and without an exception, such as a question answered with no. */
  readonly lastWords: () => Error;
} {
  let hasPrinted = false;
  let words = '';
  const stdout = passing(world.stdout, () => (hasPrinted = true));
  const stderr = passing(world.stderr, (text) => {
    if (text.trim() !== '') words = text.trim();
  });
  return {
    world: { ...world, stdout, stderr },
    hasPrinted: () => hasPrinted,
    lastWords: () => new Error(words === '' ? 'The command ended without doing its work.' : words),
  };
}

function passing(output: Output, onWrite: (text: string) => void): Output {
  return {
    isTerminal: output.isTerminal,
    // Read when asked: a terminal may change its size.
    get columns() {
      return output.columns;
    },
    get rows() {
      return output.rows;
    },
    write: (text) => {
      onWrite(text);
      output.write(text);
    },
  };
}
