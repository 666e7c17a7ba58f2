import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const COMMAND = join(resolve(__dirname, '../..'), 'dist/bin/fleetwright.js');

export interface Ran {
  readonly code: number | null;
  /** Standard output and error, in the order in which they came. */
  readonly text: string;
}

/** The built command in a process of its own. `onText` may look at the output while it runs; `kill` ends it at once. */
export function fleetwright(
  cwd: string,
  args: readonly string[],
  onText?: (text: string, kill: () => void) => void,
): Promise<Ran> {
  if (!existsSync(COMMAND))
    throw new Error('the package is not built: `npm test` builds it, or run `npm run build`');
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd },
    });
    let text = '';
    const take = (chunk: Buffer): void => {
      text += chunk.toString();
      onText?.(text, () => child.kill('SIGKILL'));
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', failed);
    child.on('close', (code) => done({ code, text }));
  });
}
