import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Make a folder and those above it that are missing; one that is there already is fine.
 *
 * Node's own `recursive` asks again for ever where a file system answers that the folder above is missing while it is there, as
 * `/proc` does. Here each folder is asked for once.
 *
 * @throws the system's error for the first folder that cannot be made
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = folder; !isFolder(path); path = dirname(path)) {
    missing.push(path);
    if (path === dirname(path)) break;
  }
  for (const path of missing.reverse()) makeOne(path);
}

/** Something else in its place is for `mkdir` to refuse, with the reason. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function makeOne(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else made it in between.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(path)) throw error;
  }
}
