import type { Diagnostic } from '../../engine/diagnostic.js';
import { compareDiagnostics } from '../../engine/diagnostic.js';
import type { SourcedObject } from '../../engine/input.js';
import type { KubeObject } from '../../engine/object.js';
import { type FilesOptions, readTexts, type SourceText } from './files.js';
import type { Place } from './locate.js';
import { parseDocuments, type YamlDocument } from './yaml.js';

export interface Sources {
  readonly documents: readonly SourcedObject[];
  /** Sorted; errors among them mean that documents are missing. */
  readonly diagnostics: readonly Diagnostic[];
  /** Gives diagnostics their line and column, see `locate`. */
  readonly places: readonly Place[];
}

/**
 * Read Kubernetes documents from files, folders and standard input (`-`).
 *
 * Streams of several documents and `List` kinds are expanded, in order. Reads synchronously, so that a Pulumi program can plan
 * before it registers anything. Schemas are not checked here: the plan does. Codes: `SOURCE_MISSING`, `DOCUMENT_UNPARSABLE`,
 * `DOCUMENT_INVALID`.
 */
export function readSources(paths: readonly string[], options: FilesOptions): Sources {
  const { texts, diagnostics } = readTexts(paths, options);
  const read = readDocuments(texts);
  return { ...read, diagnostics: [...diagnostics, ...read.diagnostics].sort(compareDiagnostics) };
}

/** The same for texts already at hand, such as committed files of another revision. */
export function readDocuments(texts: readonly SourceText[]): Sources {
  const places: Place[] = [];
  const documents: SourcedObject[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { file, text } of texts) {
    // Syntax trees are ten times the text: they are dropped, and built again for the few files with findings.
    let trees: readonly YamlDocument[] | undefined;
    const treeOf = (index: number): YamlDocument | undefined =>
      (trees ??= parseDocuments(text))[index];
    parseDocuments(text).forEach((parsed, index) => {
      diagnostics.push(...parsed.problems.map((problem) => unparsable(file, problem)));
      if (parsed.problems.length > 0) return;
      for (const { value, prefix } of expand(parsed.value, [])) {
        const problem = notAnObject(value);
        if (problem !== undefined) {
          const path = [...prefix, ...(problem.path ?? [])];
          diagnostics.push({ ...problem, file, ...parsed.locate(path) });
          continue;
        }
        const object = value as KubeObject;
        const start = prefix.length === 0 ? parsed.start : parsed.locate(prefix);
        documents.push({ object, source: { file, document: index, ...start } });
        places.push({
          object,
          file,
          line: start.line,
          locate: (path) => treeOf(index)?.locate([...prefix, ...path]) ?? start,
        });
      }
    });
  }
  return { documents, diagnostics: diagnostics.sort(compareDiagnostics), places };
}

type Path = readonly (string | number)[];

function* expand(
  value: unknown,
  prefix: Path,
): Iterable<{ readonly value: unknown; readonly prefix: Path }> {
  const list = value as { kind?: unknown; items?: unknown } | null;
  const isList =
    typeof list === 'object' &&
    list !== null &&
    Array.isArray(list.items) &&
    String(list.kind ?? '').endsWith('List');
  if (!isList) yield { value, prefix };
  else {
    for (const [i, item] of (list.items as unknown[]).entries())
      yield* expand(item, [...prefix, 'items', i]);
  }
}

function unparsable(
  file: string,
  problem: { readonly message: string; readonly line?: number; readonly column?: number },
): Diagnostic {
  const { message, line, column } = problem;
  return {
    code: 'DOCUMENT_UNPARSABLE',
    severity: 'error',
    summary: `Not valid YAML: ${message.replace(/\s+/g, ' ').replace(/[.:]$/, '')}.`,
    hint: 'Correct the text; a template must be rendered first, e.g. `helm template … | fleetwright plan -f -`.',
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
}

/** What keeps a value from being a Kubernetes object (`DOCUMENT_INVALID`); undefined: nothing does. */
export function notAnObject(value: unknown): Diagnostic | undefined {
  const invalid = (summary: string, path: Path = []): Diagnostic => ({
    code: 'DOCUMENT_INVALID',
    severity: 'error',
    summary,
    hint: 'Every document needs apiVersion, kind and metadata.name; leave other files out of -f.',
    path,
  });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid(`Expected a Kubernetes object, found ${describeType(value)}.`);
  }
  const { apiVersion, kind, metadata } = value as Record<string, unknown>;
  for (const [field, found] of Object.entries({ apiVersion, kind })) {
    if (typeof found !== 'string' || found === '') {
      return invalid(`Expected "${field}" to be a text, found ${describeType(found)}.`, [field]);
    }
  }
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    return invalid(`Expected "metadata" to be a map, found ${describeType(metadata)}.`, [
      'metadata',
    ]);
  }
  const { name, generateName } = metadata as Record<string, unknown>;
  if (typeof name === 'string' && name !== '') return undefined;
  const seen =
    generateName === undefined
      ? `found ${describeType(name)}`
      : 'found "generateName", which a plan cannot follow';
  return invalid(`Expected "metadata.name" to be a text, ${seen}.`, ['metadata', 'name']);
}

function describeType(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string'
    ? value === ''
      ? 'an empty text'
      : 'a text'
    : `${typeof value} ${String(value)}`;
}
