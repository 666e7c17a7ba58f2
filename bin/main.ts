import { CommanderError } from 'commander';
import { addCompletion, addShellCompletion, asksForCompletion } from './commands/completion.js';
import { describeFailure, documentOfFailure, watched } from './failure.js';
import { createProgram } from './program.js';
import type { World } from './world.js';

/**
 * Run one command line; returns the exit code: 0 done or nothing to do, 1 failed, 2 changes pending.
 * Never throws: what went wrong is on stderr, and on stdout too where a program asked for JSON and got none yet.
 */
export async function main(args: readonly string[], world: World): Promise<number> {
  const outcome = { args, code: 0 };
  const { world: watching, hasPrinted, lastWords } = watched(world);
  const answerPrograms = (error: unknown): void => {
    const document = hasPrinted() ? undefined : documentOfFailure(error, args);
    if (document !== undefined) world.stdout.write(document);
  };
  const program = createProgram(watching, outcome);
  try {
    if (asksForCompletion(args)) await addShellCompletion(program);
    else addCompletion(program);
    await program.parseAsync(args, { from: 'user' });
    if (outcome.code === 1) answerPrograms(lastWords());
    return outcome.code;
  } catch (error) {
    const isUsage = error instanceof CommanderError;
    if (isUsage && error.exitCode === 0) return 0;
    // Commander has printed what it found itself.
    if (!isUsage) world.stderr.write(`${describeFailure(error)}\n`);
    answerPrograms(error);
    return 1;
  }
}
