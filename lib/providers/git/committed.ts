import { spawnSync } from 'node:child_process';
import { relative, resolve, sep } from 'node:path';
import { compareStrings } from '../../engine/compare.js';
import type { SourceText } from '../source/files.js';

const DOCUMENT_FILE = /\.(?:ya?ml|json)$/;

/**
 * The texts that `paths` had in a commit, read from the object store: the working tree is not touched.
 *
 * Folders as in `readTexts`: documents only, hidden entries and `node_modules` skipped, sorted by path; paths that the commit lacks
 * contribute nothing. Throws when `cwd` is in no repository or `ref` names no commit.
 */
export function readCommitted(
  cwd: string,
  ref: string,
  paths: readonly string[],
  exclude: readonly string[] = [],
): readonly SourceText[] {
  const root = git(
    cwd,
    ['rev-parse', '--show-toplevel'],
    'this folder is in no git repository, and `diff` compares with a commit: run `git init` and commit, or compare with the clusters: `fleetwright diff --live`',
  ).trim();
  const commit = git(
    cwd,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`],
    `"${ref}" is no commit of this repository`,
  ).trim();
  const inRepo = (path: string): string => relative(root, resolve(cwd, path)).split(sep).join('/');
  const excluded = new Set(exclude.map(inRepo));
  const files = new Set<string>();
  for (const path of paths.map(inRepo)) {
    if (path.startsWith('../')) throw new Error(`${path} is outside of the repository ${root}`);
    const listed = git(root, [
      'ls-tree',
      '-r',
      '-z',
      '--name-only',
      '--full-tree',
      commit,
      '--',
      path === '' ? '.' : path,
    ]);
    for (const file of listed.split('\0').filter((name) => name !== '')) {
      if (file === path || (isDocument(file, path) && !excluded.has(file))) files.add(file);
    }
  }
  const sorted = [...files].sort(compareStrings);
  return readBlobs(root, commit, sorted);
}

function isDocument(file: string, folder: string): boolean {
  const below = file.slice(folder === '' ? 0 : folder.length + 1).split('/');
  return (
    DOCUMENT_FILE.test(file) &&
    !below.some((part) => part.startsWith('.') || part === 'node_modules')
  );
}

/** One `git cat-file --batch` for all. Its answer: `<id> blob <size>\n<content>\n` each. */
function readBlobs(root: string, commit: string, files: readonly string[]): SourceText[] {
  if (files.length === 0) return [];
  const input = files.map((file) => `${commit}:${file}\n`).join('');
  const { status, stdout, stderr } = spawnSync('git', ['cat-file', '--batch'], {
    cwd: root,
    input,
    maxBuffer: 2 ** 31 - 1,
  });
  if (status !== 0) throw new Error(`git cat-file failed: ${stderr.toString().trim()}`);
  let at = 0;
  return files.map((file) => {
    const end = stdout.indexOf('\n', at);
    const size = Number(stdout.subarray(at, end).toString().split(' ')[2] ?? 0);
    const text = stdout.subarray(end + 1, end + 1 + size).toString();
    at = end + 1 + size + 1;
    return { file, text };
  });
}

function git(cwd: string, args: readonly string[], problem?: string): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw new Error(`git cannot be started: ${error.message}`);
  if (status !== 0) throw new Error(problem ?? `git ${args[0] ?? ''} failed: ${stderr.trim()}`);
  return stdout;
}
