import type { FleetLock } from '../../api/fleet-lock.js';
import { failed, ok, type Result } from '../../engine/result.js';
import { type NoBytes, readBytes } from '../source/read-bytes.js';
import { textOf } from '../source/text.js';
import { writeFileAtomic } from './atomic.js';
import { parseLock } from './parse.js';
import { printLock } from './print.js';

/** The lock at `path`; `undefined` when there is none yet. `label` is the name for people, by default the path. */
export function readLock(path: string, label: string = path): Result<FleetLock | undefined> {
  let bytes: Uint8Array | NoBytes;
  try {
    bytes = readBytes(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return ok(undefined);
    return unreadable(
      label,
      `The lock cannot be read: ${code ?? String(error)}.`,
      'Check that it is a file and its permissions.',
    );
  }
  if (bytes === 'not a file') {
    return unreadable(
      label,
      'The lock is no file but a socket or a device; reading it might never end.',
      'Give the path of a file with --lock; for no lock, of one that does not exist yet.',
    );
  }
  const text = typeof bytes === 'string' ? bytes : textOf(bytes);
  if (typeof text === 'object') return parseLock(text.content, label);
  const why = text === 'not text' ? 'is not a UTF-8 text' : 'is larger than 64 MiB';
  return unreadable(
    label,
    `The lock ${why}.`,
    'Restore the committed lock (`git checkout -- FILE`).',
  );
}

function unreadable(file: string, summary: string, hint: string): Result<never> {
  return failed([{ code: 'LOCK_INVALID', severity: 'error', summary, hint, file }]);
}

/** Write the lock atomically; `false` when the file already holds it. */
export function writeLock(path: string, lock: FleetLock): boolean {
  return writeFileAtomic(path, printLock(lock));
}
