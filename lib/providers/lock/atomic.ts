import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './folder.js';
import { asWriteFailed, NO_FILE, WriteFailed } from './write-failed.js';

/**
 * Write a file so that readers see the old or the new content, never a part: temporary file, fsync, rename.
 *
 * Content that is already there is not written again (`false`); an existing file keeps its mode. Missing folders are made.
 * A failure leaves the old file and no temporary one.
 *
 * @throws {@link WriteFailed} for what the file system refuses
 */
export function writeFileAtomic(file: string, text: string): boolean {
  try {
    return replaceFile(file, text);
  } catch (error) {
    throw asWriteFailed(file, error);
  }
}

function replaceFile(file: string, text: string): boolean {
  const before = tryRead(file);
  if (before?.text === text) return false;
  makeFolder(dirname(file));
  forgetStale(dirname(file), /^\.[0-9a-f]{12}\.tmp$/);
  const temporary = join(dirname(file), `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = openSync(temporary, 'wx', 0o666);
    try {
      if (before !== undefined) fchmodSync(handle, before.mode);
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(file));
  return true;
}

/** Nobody is at it any more: whoever made it was killed. Milliseconds. */
const STALE_MS = 10 * 60_000;

/** Remove what killed processes left half-written in a folder. */
export function forgetStale(folder: string, pattern: RegExp): void {
  try {
    for (const name of readdirSync(folder).filter((one) => pattern.test(one))) {
      const path = join(folder, name);
      if (Date.now() - statSync(path).mtimeMs > STALE_MS)
        rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // Tidying is not worth a failure: somebody else may be at it.
  }
}

function tryRead(file: string): { readonly text: string; readonly mode: number } | undefined {
  try {
    const stats = statSync(file);
    // A rename would put a file in its place.
    if (!stats.isFile() && !stats.isDirectory())
      throw new WriteFailed(file, NO_FILE, `mode ${stats.mode.toString(8)}`);
    return { text: readFileSync(file, 'utf8'), mode: stats.mode & 0o7777 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes the rename survive a power cut. Some systems cannot open folders; the file itself is safe by then. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Windows cannot sync a folder.
  }
}
