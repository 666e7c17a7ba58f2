import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { compareStrings } from '../../engine/compare.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import { unreachable } from '../../engine/result.js';
import { type NoBytes, readBytes } from './read-bytes.js';
import { type NoText, textOf } from './text.js';

/** A text and the name under which people know it: the path as they would type it. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

const DOCUMENT_FILE = /\.(?:ya?ml|json)$/;
/** Folders do not contribute them; who names one means an interpreter, or a program that writes manifests. */
const PROGRAM_FILE = /\.[cm]?[jt]sx?$/;

export interface FilesOptions {
  readonly cwd: string;
  /** What `-` stands for. */
  readonly stdin?: string | Uint8Array;
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
  const add = (key: string, file: string, text: ReturnType<typeof readText>): void => {
    if ('content' in text) texts.set(key, { file, text: text.content });
    else diagnostics.push(notRead(file, text));
  };
  for (const path of paths) {
    if (path === '-') {
      add('-', 'stdin', asText(textOf(toBytes(stdin))));
      continue;
    }
    const root = resolve(cwd, path);
    const found = listFiles(root, excluded);
    for (const { folder, code } of found.unread)
      diagnostics.push(unread(labelOf(folder, cwd), path, code));
    if (found.files.length === 0 && found.unread.length === 0) {
      diagnostics.push(
        missing(
          path,
          `The folder "${path}" has no YAML or JSON files.`,
          'Give a folder with .yaml, .yml or .json files.',
        ),
      );
    }
    for (const file of found.files)
      if (PROGRAM_FILE.test(file)) diagnostics.push(program(labelOf(file, cwd)));
      else add(file, labelOf(file, cwd), readText(file, { isNamed: file === root }));
  }
  return { texts: [...texts.values()], diagnostics };
}

function toBytes(stdin: string | Uint8Array = ''): Uint8Array {
  return typeof stdin === 'string' ? Buffer.from(stdin) : stdin;
}

function missing(file: string, summary: string, hint: string): Diagnostic {
  return { code: 'SOURCE_MISSING', severity: 'error', summary, hint, file };
}

function program(file: string): Diagnostic {
  return {
    code: 'DOCUMENT_UNPARSABLE',
    severity: 'error',
    summary: `"${file}" is a program, no manifest: it is not run, and nothing is read from it.`,
    hint: 'Interpreters in TypeScript work in a program: `new FleetRelease(…, { interpreters })` or `planApplication(input, interpreters)`; on the command line use a ResourceInterpreterCustomization. Of a program that writes manifests give the output.',
    file,
  };
}

/** Of what was named, or of a folder below it: the rest of the argument may be fine. */
function unread(label: string, path: string, code: string): Diagnostic {
  if (code === 'ENOENT')
    return missing(path, `"${path}" does not exist.`, 'Check the path given with -f.');
  const name = label === '' ? path : label;
  return missing(name, `"${name}" cannot be read (${code}).`, 'Check its permissions.');
}

function notRead(file: string, { why, code }: Unread): Diagnostic {
  const name = file === 'stdin' ? 'Standard input' : `"${file}"`;
  switch (why) {
    case 'not a file':
      return missing(
        file,
        `${name} is no file but a pipe, a socket or a device; reading it might never end.`,
        'Remove it from the folder; a pipe can be named with -f, or come from standard input as `-f -`.',
      );
    case 'not text':
      return {
        code: 'DOCUMENT_UNPARSABLE',
        severity: 'error',
        summary: `${name} is not a UTF-8 text.`,
        hint: 'Save it as UTF-8; binary data belongs into `binaryData` or a Secret, in base64.',
        file,
      };
    case 'too large':
      return missing(file, `${name} is larger than 64 MiB.`, 'Split it into several files.');
    case 'leads nowhere':
      return missing(
        file,
        `${name} is a link to a file that does not exist.`,
        'Correct the link, or remove it.',
      );
    case 'unreadable':
      return missing(
        file,
        `${name} cannot be read (${code ?? 'unknown'}).`,
        'Check its permissions.',
      );
    default:
      return unreachable(why);
  }
}

/** Paths as people type them: relative below the working directory, else absolute; always with `/`. */
function labelOf(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return (path.startsWith('..') ? file : path).split(sep).join('/');
}

interface Listed {
  readonly files: readonly string[];
  /** What could not be looked at, with the system's reason. */
  readonly unread: readonly { readonly folder: string; readonly code: string }[];
}

function listFiles(path: string, excluded: ReadonlySet<string>): Listed {
  try {
    return statSync(path).isDirectory() ? walk(path, excluded) : { files: [path], unread: [] };
  } catch (error) {
    return { files: [], unread: [{ folder: path, code: codeOf(error) }] };
  }
}

function walk(folder: string, outer: ReadonlySet<string>): Listed {
  const excluded = new Set([...outer, ...generatedFiles(folder)]);
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // One folder that cannot be looked into must not hide the others.
    return { files: [], unread: [{ folder, code: codeOf(error) }] };
  }
  const files: string[] = [];
  const unread: Listed['unread'][number][] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    // A link to a folder is not followed: it may lead back here.
    if (entry.isDirectory()) {
      const below = walk(path, excluded);
      files.push(...below.files);
      unread.push(...below.unread);
    } else if (DOCUMENT_FILE.test(entry.name) && !excluded.has(path)) files.push(path);
  }
  return { files: files.sort(compareStrings), unread };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

/** What `synth` wrote into this folder is a result, not a source. */
function generatedFiles(folder: string): readonly string[] {
  const list = readText(join(folder, '.fleetwright', 'files'), { isNamed: false });
  if (!('content' in list)) return [];
  return list.content.split('\n').map((line) => join(folder, line.split('\t')[0] ?? ''));
}

interface Unread {
  readonly why: NoText | NoBytes | 'leads nowhere' | 'unreadable';
  readonly code?: string;
}

/**
 * A pipe is read where somebody names it, as shells do for `<(…)`; one that a folder contributes would wait for a writer for ever.
 */
function readText(
  file: string,
  { isNamed }: { readonly isNamed: boolean },
): { readonly content: string } | Unread {
  try {
    if (!isNamed && !statSync(file).isFile()) return { why: 'not a file' };
    const bytes = readBytes(file);
    return asText(typeof bytes === 'string' ? bytes : textOf(bytes));
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' && isLink(file)
      ? { why: 'leads nowhere' }
      : { why: 'unreadable', code };
  }
}

function asText(text: ReturnType<typeof textOf> | NoBytes): { readonly content: string } | Unread {
  return typeof text === 'string' ? { why: text } : text;
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
