/** Codes of what this folder can find; a subset of the engine's diagnostic codes. */
export type FindingCode =
  | 'DOCUMENT_MISPLACED_FIELD'
  | 'FIELD_INVALID'
  | 'FIELD_REMOVED'
  | 'FIELD_REQUIRED'
  | 'FIELD_UNKNOWN';

export type FieldPath = readonly (string | number)[];

/** Something wrong with one field of one document. Plain data. */
export interface Finding {
  readonly code: FindingCode;
  /** From the root of the document. */
  readonly path: FieldPath;
  /** One sentence that names the field, what it must be, and the value seen. */
  readonly summary: string;
  readonly hint?: string;
  /** True: the schema takes it, Karmada's admission (validating webhook or aggregated API server) refuses it. */
  readonly admission?: true;
  /** True: Karmada takes the field and reads it nowhere. */
  readonly ignored?: true;
}

const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

/** `['spec', 'rules', 0, 'a/b']` as people write it: `spec.rules[0]["a/b"]`; the root is `document`. */
export function describePath(path: FieldPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!PLAIN_KEY.test(part)) text += `[${JSON.stringify(part)}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text === '' ? 'document' : text;
}

/** A value for a message: short, and never the inside of an object. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 60 ? text : `${text.slice(0, 56)}…"`;
}

export interface FindingOptions {
  readonly hint?: string;
  readonly admission?: true;
}

/** The field is there and its value is refused; `must` completes the sentence "`path` …". */
export function invalid(path: FieldPath, must: string, options: FindingOptions = {}): Finding {
  return { code: 'FIELD_INVALID', path, summary: `${describePath(path)} ${must}.`, ...options };
}

/** The field is missing. */
export function required(path: FieldPath, options: FindingOptions = {}): Finding {
  return {
    code: 'FIELD_REQUIRED',
    path,
    summary: `${describePath(path)} is required.`,
    ...options,
  };
}

/** Order: (1) path, element by element, numbers as numbers, a parent before its children; (2) code; (3) summary. */
export function compareFindings(a: Finding, b: Finding): number {
  for (let i = 0; i < Math.min(a.path.length, b.path.length); i++) {
    const order = comparePart(a.path[i] ?? '', b.path[i] ?? '');
    if (order !== 0) return order;
  }
  return a.path.length - b.path.length || compare(a.code, b.code) || compare(a.summary, b.summary);
}

function comparePart(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compare(String(a), String(b));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
