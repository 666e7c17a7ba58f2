import type { Diagnostic } from '../../engine/diagnostic.js';

/** A file could not be written. What was there before is as it was. */
export class WriteFailed extends Error {
  readonly __writeFailed = true as const;
  readonly diagnostic: Diagnostic;

  constructor(file: string, code: string, cause: unknown) {
    const { why, way } = REASONS[code] ?? { why: 'the system refuses', way: 'See to it' };
    super(`${file} cannot be written: ${why} (${code}). What was there before is unchanged.`, {
      cause,
    });
    this.name = 'WriteFailed';
    this.diagnostic = {
      code: 'FILE_NOT_WRITTEN',
      severity: 'error',
      summary: this.message,
      hint: `${way}, then run the same command again: it goes on from what is there.`,
    };
  }

  static is(x: unknown): x is WriteFailed {
    return typeof x === 'object' && x !== null && '__writeFailed' in x;
  }
}

/** Errors of the file system as {@link WriteFailed}; anything else, bugs among them, as it is. */
export function asWriteFailed(file: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === undefined || syscall === undefined ? error : new WriteFailed(file, code, error);
}

/** A device, a pipe or a socket has the name. */
export const NO_FILE = 'no file';

const ROOM = 'Make room there';
const PERMISSION = 'Allow writing there, or give another place with --lock or --out';

const REASONS: Readonly<Record<string, { readonly why: string; readonly way: string }>> = {
  ENOENT: { why: 'no folder can be made there', way: PERMISSION },
  EEXIST: { why: 'something else is in the place of a folder', way: 'Move it away' },
  ENOSPC: { why: 'the disk is full', way: ROOM },
  EDQUOT: { why: 'the quota is used up', way: ROOM },
  EFBIG: { why: 'it is larger than a file may be here', way: 'Raise the limit (ulimit -f)' },
  EROFS: { why: 'the file system is read-only', way: PERMISSION },
  EACCES: { why: 'permission denied', way: PERMISSION },
  EPERM: { why: 'not permitted', way: PERMISSION },
  EISDIR: { why: 'a folder is in its place', way: 'Move the folder away' },
  ENOTDIR: { why: 'a file is where a folder should be', way: 'Move the file away' },
  [NO_FILE]: { why: 'a device, a pipe or a socket is in its place', way: 'Give another path' },
  EMFILE: { why: 'too many files are open', way: 'Raise the limit (ulimit -n)' },
};
