import { CommanderError } from 'commander';
import { describeDiagnostics } from '../lib/engine/describe/index.js';
import { InvariantError } from '../lib/engine/result.js';
import { WriteFailed } from '../lib/providers/lock/write-failed.js';
import { addCompletion, addShellCompletion, asksForCompletion } from './commands/completion.js';
import { createProgram } from './program.js';
import { Refusal } from './refusal.js';
import type { World } from './world.js';

/**
 * Run one command line; returns the exit code: 0 done or nothing to do, 1 failed, 2 changes pending.
 * Never throws: what went wrong is on stderr.
 */
export async function main(args: readonly string[], world: World): Promise<number> {
  const outcome = { args, code: 0 };
  const program = createProgram(world, outcome);
  try {
    if (asksForCompletion(args)) await addShellCompletion(program);
    else addCompletion(program);
    await program.parseAsync(args, { from: 'user' });
    return outcome.code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    world.stderr.write(`${describeFailure(error)}\n`);
    return 1;
  }
}

/** A bug keeps its stack, for the report; everything else is one message. */
function describeFailure(error: unknown): string {
  if (Refusal.is(error)) return error.message;
  if (WriteFailed.is(error)) return describeDiagnostics([error.diagnostic]).trimEnd();
  if (InvariantError.is(error)) return error.stack ?? error.message;
  if (!(error instanceof Error)) return String(error);
  const isBug = ['TypeError', 'RangeError', 'ReferenceError'].includes(error.name);
  return isBug ? (error.stack ?? error.message) : `error   ${error.message}`;
}
