import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { MAX_BYTES } from './text.js';

/** Why nothing was read: neither a file nor a pipe, or too much of it. */
export type NoBytes = 'not a file' | 'too large';

const CHUNK_BYTES = 1 << 16;

/**
 * The bytes of a file, or of a pipe that somebody named (as shells do for `<(…)`), up to {@link MAX_BYTES}.
 *
 * A device or a socket is not opened: reading it might never end.
 *
 * @throws the system's error
 */
export function readBytes(file: string): Uint8Array | NoBytes {
  const stats = statSync(file);
  if (!stats.isFile() && !stats.isFIFO() && !stats.isDirectory()) return 'not a file';
  if (stats.isFile() && stats.size > MAX_BYTES) return 'too large';
  const handle = openSync(file, 'r');
  try {
    return readAll(handle, fstatSync(handle).size);
  } finally {
    closeSync(handle);
  }
}

/** What a file reports as its size is a guess: pipes and `/proc` say 0, and others may be writing. */
function readAll(handle: number, expected: number): Uint8Array | NoBytes {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(expected > length ? expected - length : CHUNK_BYTES);
    const count = readSync(handle, chunk);
    if (count === 0) return Buffer.concat(chunks, length);
    chunks.push(chunk.subarray(0, count));
    length += count;
    if (length > MAX_BYTES) return 'too large';
  }
}
