import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
} from 'yaml';
import { parsePlain } from './plain-yaml.js';
import { KUBERNETES_SCALARS } from './scalars.js';

/** A place in a text, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface YamlProblem extends Partial<Position> {
  readonly message: string;
}

/** One document of a YAML stream. `value` is `undefined` when it has problems. */
export interface YamlDocument {
  readonly value: unknown;
  readonly start: Position;
  readonly problems: readonly YamlProblem[];
  /** Where the value at `path` stands, or the nearest ancestor that exists. */
  locate(path: readonly (string | number)[]): Position;
}

/** Aliases that one document may resolve; real manifests use a handful. */
const MAX_ALIASES = 1_000;
/** After the first few, the parser only repeats itself. */
const MAX_PROBLEMS = 3;
const NOT_PLAIN =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]|^(?:---.|\.\.\.|%)/m;
const TOO_DEEP = 'The document is nested too deeply';

/**
 * Every document of a YAML or JSON text, in order; empty documents are left out.
 *
 * Never throws: broken syntax, duplicate keys, alias bombs and nesting beyond the stack come back as problems.
 * Scalars are read as `kubectl apply` reads them, see {@link KUBERNETES_SCALARS}.
 */
export function parseDocuments(text: string): YamlDocument[] {
  const unmarked = withoutMarks(text);
  return parsePlainDocuments(unmarked) ?? parseAnyDocuments(unmarked);
}

/** YAML allows a byte order mark at the start of each document: files put one after the other keep theirs. */
function withoutMarks(text: string): string {
  if (!text.includes('\ufeff')) return text;
  return text
    .replace(/^\ufeff/, '')
    .replace(/^\ufeff(?=---(?:\s|$)|#)|(?<=^---[^\n]*\n)\ufeff/gm, '');
}

/** All documents in plain block style, or `undefined`. Places are looked up with the full parser, if anybody asks. */
function parsePlainDocuments(text: string): YamlDocument[] | undefined {
  // Control characters and what only looks like a line end are for the full parser.
  if (NOT_PLAIN.test(text)) return undefined;
  const documents: YamlDocument[] = [];
  const lines = text.split('\n');
  let trees: readonly YamlDocument[] | undefined;
  const add = (from: number, to: number): boolean => {
    const first = lines.slice(from, to).findIndex((line) => /^ *[^ #]/.test(line));
    if (first < 0) return true;
    const plain = parsePlain(lines.slice(from, to));
    if (plain === undefined) return false;
    const index = documents.length;
    const start = { line: from + first + 1, column: 1 };
    const locate: YamlDocument['locate'] = (path) =>
      (trees ??= parseAnyDocuments(text))[index]?.locate(path) ?? start;
    documents.push({ ...plain, start, problems: [], locate });
    return true;
  };
  let from = 0;
  for (const [i, line] of lines.entries()) {
    if (line !== '---') continue;
    if (!add(from, i)) return undefined;
    from = i + 1;
  }
  return add(from, lines.length) ? documents : undefined;
}

/** The full parser. Exported for the test that holds the quick one to it. */
export function parseAnyDocuments(text: string): YamlDocument[] {
  const lines = new LineCounter();
  let documents: Document.Parsed[];
  try {
    const parsed = parseAllDocuments(text, {
      lineCounter: lines,
      version: '1.2',
      schema: 'failsafe',
      customTags: [...KUBERNETES_SCALARS] as never,
      // The parser compares each key with each: `checkKeys` finds duplicates in one pass.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    documents = Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [];
  } catch (error) {
    const message = error instanceof RangeError ? TOO_DEEP : String(error);
    return [broken([{ message }])];
  }
  return documents
    .filter((d) => d.errors.length > 0 || !isEmpty(d.contents))
    .map((d) => toDocument(d, lines));
}

/** The value of a text with one document; `undefined` for an empty text. Throws `SyntaxError`. */
export function parseYaml(text: string): unknown {
  const [first, second] = parseDocuments(text);
  if (first === undefined) return undefined;
  const problem =
    first.problems[0] ?? (second && { message: 'Expected one document, found several' });
  if (problem) throw new SyntaxError(problem.message);
  return first.value;
}

function isEmpty(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null && node.source === '');
}

function toDocument(document: Document.Parsed, lines: LineCounter): YamlDocument {
  const at = (offset: number | undefined): Position => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems: YamlProblem[] = document.errors.slice(0, MAX_PROBLEMS).map((e) => ({
    message: e.message.startsWith('Maximum call stack') ? TOO_DEEP : e.message,
    ...at(e.pos[0]),
  }));
  if (problems.length > 0) return broken(problems);
  try {
    checkKeys(document.contents, (offset, message) => problems.push({ message, ...at(offset) }));
    const value: unknown =
      problems.length > 0 ? undefined : document.toJS({ maxAliasCount: MAX_ALIASES });
    const flaw = flawOf(value);
    if (flaw !== undefined) throw new Error(flaw);
    return {
      value,
      start: at(document.contents?.range[0]),
      problems,
      locate: (path) => at(offsetOf(document, path)),
    };
  } catch (error) {
    const message = error instanceof RangeError ? TOO_DEEP : (error as Error).message;
    return broken([{ message, ...at(document.contents?.range[0]) }]);
  }
}

function broken(problems: readonly YamlProblem[]): YamlDocument {
  const start = { line: problems[0]?.line ?? 1, column: problems[0]?.column ?? 1 };
  return { value: undefined, start, problems, locate: () => start };
}

/**
 * Why a value has no JSON form: it holds itself, which aliases make possible, or a tag made something else of it (`!!binary`,
 * `!!set`). Throws RangeError where it is too deep.
 */
function flawOf(value: unknown, above: ReadonlySet<unknown> = new Set()): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.has(value)) return 'An alias refers to a value that contains it';
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype)
    return 'A tag makes a value that has no JSON form';
  const within = new Set(above).add(value);
  for (const member of Object.values(value)) {
    const flaw = flawOf(member, within);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

/** Keys must be text that no JavaScript object treats specially, and stand once in their map. */
function checkKeys(
  node: unknown,
  report: (offset: number | undefined, message: string) => void,
): void {
  if (isSeq(node)) for (const item of node.items) checkKeys(item, report);
  if (!isMap(node)) return;
  const seen = new Set<string>();
  for (const { key, value } of node.items) {
    const offset = (key as Node | null)?.range?.[0];
    if (!isScalar(key) || key.value === null) report(offset, 'A key must be a text');
    else {
      // As the object will have it: 1 and "1" are one key.
      const name = String(key.value);
      if (name === '__proto__') report(offset, 'The key "__proto__" is not allowed');
      else if (seen.has(name)) report(offset, 'Map keys must be unique');
      seen.add(name);
    }
    checkKeys(value, report);
  }
}

function offsetOf(
  document: Document.Parsed,
  path: readonly (string | number)[],
): number | undefined {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0];
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find((p) => isScalar(p.key) && String(p.key.value) === String(step));
      if (pair === undefined) return offset;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(step)];
      if (item === undefined) return offset;
      offset = (item as Node).range?.[0] ?? offset;
      node = item;
    } else return offset;
  }
  return offset;
}
