import { readFileSync } from 'node:fs';
import type { FleetLock } from '../../api/fleet-lock.js';
import { failed, ok, type Result } from '../../engine/result.js';
import { writeFileAtomic } from './atomic.js';
import { parseLock } from './parse.js';
import { printLock } from './print.js';

/** The lock at `path`; `undefined` when there is none yet. `label` is the name for people, by default the path. */
export function readLock(path: string, label: string = path): Result<FleetLock | undefined> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return ok(undefined);
    return failed([
      {
        code: 'LOCK_INVALID',
        severity: 'error',
        summary: `The lock cannot be read: ${code ?? String(error)}.`,
        hint: 'Check that it is a file and its permissions.',
        file: label,
      },
    ]);
  }
  return parseLock(text, label);
}

/** Write the lock atomically; `false` when the file already holds it. */
export function writeLock(path: string, lock: FleetLock): boolean {
  return writeFileAtomic(path, printLock(lock));
}
