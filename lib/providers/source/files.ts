import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { compareStrings } from '../../engine/compare.js';
import type { Diagnostic } from '../../engine/diagnostic.js';

/** A text and the name under which people know it: the path as they would type it. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** Larger files are refused: the parser holds about thirty times their size. */
const MAX_BYTES = 64 * 1024 * 1024;
const DOCUMENT_FILE = /\.(?:ya?ml|json)$/;

export interface FilesOptions {
  readonly cwd: string;
  /** What `-` stands for. */
  readonly stdin?: string;
  /** Paths that folders must not contribute: the fleet, the lock, the project file. */
  readonly exclude?: readonly string[];
}

/**
 * The texts behind paths, in the order given; a folder contributes its `.yaml`, `.yml` and `.json` files, sorted by path.
 *
 * Hidden entries and `node_modules` are skipped. A file reached twice counts once. Nothing found: `SOURCE_MISSING`.
 */
export function readTexts(
  paths: readonly string[],
  { cwd, stdin, exclude = [] }: FilesOptions,
): { readonly texts: readonly SourceText[]; readonly diagnostics: readonly Diagnostic[] } {
  const excluded = new Set(exclude.map((path) => resolve(cwd, path)));
  const texts = new Map<string, SourceText>();
  const diagnostics: Diagnostic[] = [];
  const refuse = (file: string, summary: string, hint: string): void => {
    diagnostics.push({ code: 'SOURCE_MISSING', severity: 'error', summary, hint, file });
  };
  for (const path of paths) {
    if (path === '-') {
      texts.set('-', { file: 'stdin', text: stdin ?? '' });
      continue;
    }
    const found = listFiles(resolve(cwd, path), excluded);
    if (found === undefined)
      refuse(path, `"${path}" does not exist or cannot be read.`, 'Check the path given with -f.');
    else if (found.length === 0) {
      refuse(
        path,
        `The folder "${path}" has no YAML or JSON files.`,
        'Give a folder with .yaml, .yml or .json files.',
      );
    }
    for (const file of found ?? []) {
      const label = labelOf(file, cwd);
      const text = readText(file, { isNamed: file === resolve(cwd, path) });
      if (text === 'not a file')
        refuse(
          label,
          `"${label}" is no file but a pipe, a socket or a device; reading it might never end.`,
          'Remove it from the folder; a pipe can be named with -f, or come from standard input as `-f -`.',
        );
      else if (text === 'not text')
        diagnostics.push({
          code: 'DOCUMENT_UNPARSABLE',
          severity: 'error',
          summary: `"${label}" is not a UTF-8 text.`,
          hint: 'Save it as UTF-8; binary data belongs into `binaryData` or a Secret, in base64.',
          file: label,
        });
      else if (text === undefined)
        refuse(
          label,
          `"${label}" cannot be read or is larger than 64 MiB.`,
          'Split it, or check its permissions.',
        );
      else texts.set(file, { file: label, text: text.content });
    }
  }
  return { texts: [...texts.values()], diagnostics };
}

/** Paths as people type them: relative below the working directory, else absolute; always with `/`. */
function labelOf(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return (path.startsWith('..') ? file : path).split(sep).join('/');
}

function listFiles(path: string, excluded: ReadonlySet<string>): readonly string[] | undefined {
  try {
    return statSync(path).isDirectory() ? walk(path, excluded) : [path];
  } catch {
    return undefined; // reported by the caller, with the path as typed
  }
}

function walk(folder: string, outer: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const excluded = new Set([...outer, ...generatedFiles(folder)]);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    // A link to a folder is not followed: it may lead back here.
    if (entry.isDirectory()) found.push(...walk(path, excluded));
    else if (DOCUMENT_FILE.test(entry.name) && !excluded.has(path)) found.push(path);
  }
  return found.sort(compareStrings);
}

/** What `synth` wrote into this folder is a result, not a source. */
function generatedFiles(folder: string): readonly string[] {
  const list = readText(join(folder, '.fleetwright', 'files'), { isNamed: false });
  if (list === undefined || typeof list === 'string') return [];
  return list.content.split('\n').map((line) => join(folder, line.split('\t')[0] ?? ''));
}

/**
 * A broken byte would be replaced without a word, and a NUL ends a text for other tools: neither is taken. A pipe is read
 * where somebody names it, as shells do for `<(…)`; one that a folder contributes would wait for a writer for ever.
 */
function readText(
  file: string,
  { isNamed }: { readonly isNamed: boolean },
): { readonly content: string } | 'not text' | 'not a file' | undefined {
  let bytes: Buffer;
  try {
    const stats = statSync(file);
    if (stats.size > MAX_BYTES) return undefined;
    if (!stats.isFile() && !(isNamed && stats.isFIFO())) return 'not a file';
    bytes = readFileSync(file);
  } catch {
    return undefined; // reported by the caller
  }
  if (!isUtf8(bytes) || bytes.includes(0)) return 'not text';
  return { content: bytes.toString('utf8').replace(/^\ufeff/, '') };
}
