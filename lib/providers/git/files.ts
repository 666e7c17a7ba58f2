import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { compareStrings } from '../../engine/compare.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import { failed, ok, type Result } from '../../engine/result.js';
import { forgetStale, writeFileAtomic } from '../lock/atomic.js';
import { makeFolder } from '../lock/folder.js';
import { asWriteFailed } from '../lock/write-failed.js';
import type { RenderedFiles } from './render.js';

/** Paths that changed, sorted. */
export interface WrittenFiles {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

/** The ownership list: one line a file, path and owner. */
const LIST = '.fleetwright/files';

/**
 * Make a folder hold exactly these files of `owner` (application and environment); whatever else is there stays.
 *
 * All or nothing as far as a file system can: everything is checked and staged before the first file changes, a failure puts
 * the old files back, and a crash in between is repaired by the next run, since the ownership list names old and new files
 * while they change. Files of the owner that are no longer wanted are removed, with folders that become empty.
 * Codes: `FILE_FOREIGN`, `FILE_NAME_REFUSED`.
 */
export function writeFiles(
  root: string,
  owner: string,
  { files, held }: RenderedFiles,
): Result<WrittenFiles> {
  const owners = readOwners(root);
  const diagnostics = [...files].flatMap(([path, text]) => refuse(root, path, text, owner, owners));
  if (diagnostics.length > 0) return failed(diagnostics);

  const isHeld = (path: string): boolean => held.some((folder) => path.startsWith(`${folder}/`));
  const own = [...owners].filter(([, who]) => who === owner).map(([path]) => path);
  const removed = own.filter((path) => !files.has(path) && !isHeld(path)).sort(compareStrings);
  const changed = [...files].filter(([path, text]) => readText(join(root, path)) !== text);

  const during = new Map([...owners, ...[...files.keys()].map((path) => [path, owner] as const)]);
  writeOwners(root, during);
  replaceAll(
    root,
    changed,
    removed.filter((path) => existsSync(join(root, path))),
  );
  for (const path of removed) during.delete(path);
  writeOwners(root, during);
  return ok({
    written: changed.map(([path]) => path),
    removed,
    unchanged: files.size - changed.length,
  });
}

function refuse(
  root: string,
  path: string,
  text: string,
  owner: string,
  owners: ReadonlyMap<string, string>,
): Diagnostic[] {
  if (leavesRoot(root, path)) {
    const summary = `"${path}" would be written outside of the folder, through a link.`;
    return [
      {
        code: 'FILE_NAME_REFUSED',
        severity: 'error',
        summary,
        hint: 'Remove the link.',
        file: path,
      },
    ];
  }
  const who = owners.get(path);
  if (who === owner) return [];
  const there = readText(join(root, path));
  if (who === undefined && (there === undefined || there === text)) return [];
  const summary = `"${path}" would be overwritten, but it belongs to ${who === undefined ? 'somebody else' : `"${who}"`}.`;
  return [
    {
      code: 'FILE_FOREIGN',
      severity: 'error',
      summary,
      hint: 'Move it away, or write to another folder with --out.',
      file: path,
    },
  ];
}

/** A folder on the way may be a link to somewhere else. */
function leavesRoot(root: string, path: string): boolean {
  if (!existsSync(root)) return false;
  const real = realpathSync(root);
  for (
    let folder = dirname(join(root, path));
    folder.length > root.length;
    folder = dirname(folder)
  ) {
    if (existsSync(folder)) return !`${realpathSync(folder)}${sep}`.startsWith(`${real}${sep}`);
  }
  return false;
}

/** Move staged files into place and stale ones away; on failure move everything back. */
function replaceAll(
  root: string,
  changed: readonly (readonly [string, string])[],
  removed: readonly string[],
): void {
  if (changed.length === 0 && removed.length === 0) return;
  const staging = makeStaging(root);
  const undo: (() => void)[] = [];
  try {
    changed.forEach(([, text], i) =>
      writeFileSync(join(staging, `new-${i}`), text, { flush: true }),
    );
    const paths = [...changed.map(([path]) => path), ...removed];
    paths.forEach((path, i) => {
      const file = join(root, path);
      if (existsSync(file)) {
        renameSync(file, join(staging, `old-${i}`));
        undo.push(() => renameSync(join(staging, `old-${i}`), file));
      }
      if (i >= changed.length) return;
      makeFolder(dirname(file));
      renameSync(join(staging, `new-${i}`), file);
      undo.push(() => rmSync(file));
    });
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw asWriteFailed(root, error);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  for (const path of removed) removeEmptyFolders(root, dirname(path));
}

function makeStaging(root: string): string {
  forgetStale(join(root, '.fleetwright'), /^staging-/);
  try {
    return mkdtempSync(join(root, '.fleetwright', 'staging-'));
  } catch (error) {
    throw asWriteFailed(root, error);
  }
}

function removeEmptyFolders(root: string, folder: string): void {
  for (let path = folder; path !== '.' && path !== ''; path = dirname(path)) {
    try {
      rmdirSync(join(root, path));
    } catch {
      return; // not empty, or already gone
    }
  }
}

function readOwners(root: string): Map<string, string> {
  const lines = (readText(join(root, LIST)) ?? '').split('\n').filter(isOwnLine);
  return new Map(
    lines.map((line) => {
      const [path = '', owner = ''] = line.split('\t');
      return [path, owner];
    }),
  );
}

/** The list is a committed file: a path in it must not lead anywhere else. */
function isOwnLine(line: string): boolean {
  return /^[^#\t/][^\t]*\t[^\t]+$/.test(line) && !/(?:^|\/)\.\.?(?:\/|\t)|\\/.test(line);
}

function writeOwners(root: string, owners: ReadonlyMap<string, string>): void {
  const lines = [...owners]
    .sort(([a], [b]) => compareStrings(a, b))
    .map(([path, owner]) => `${path}\t${owner}\n`);
  writeFileAtomic(
    join(root, LIST),
    `# Files written by fleetwright, with their owner. Others are never touched.\n${lines.join('')}`,
  );
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
