import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../..');
export const COMMAND = join(ROOT, 'dist/bin/fleetwright.js');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface CommandOptions {
  readonly cwd: string;
  /** Called with all of standard error so far, after each piece. */
  readonly onStderr?: (text: string) => void;
  /** Instead of running node directly, e.g. under a limit: `['bash', '-c', 'ulimit …; exec "$@"', '-']`. */
  readonly wrapper?: readonly string[];
}

/** The built command in a process of its own. Standard input is closed. */
export function start(args: readonly string[], options: CommandOptions): Running {
  if (!existsSync(COMMAND))
    throw new Error('the package is not built: `npm test` builds it, or run `npm run build`');
  const [command = '', ...rest] = [...(options.wrapper ?? []), process.execPath, COMMAND, ...args];
  const child = spawn(command, rest, {
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: options.cwd },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    options.onStderr?.(stderr);
  });
  const ended = new Promise<Ended>((done, failed) => {
    child.on('error', failed);
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

export function run(args: readonly string[], options: CommandOptions): Promise<Ended> {
  return start(args, options).ended;
}
