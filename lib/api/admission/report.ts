import {
  type FieldPath,
  type Finding,
  type FindingOptions,
  describeValue,
  invalid,
  required,
} from '../finding.js';

/** What the validating webhook of a kind refuses. Called with documents that fit the schema, after defaulting. */
export type Admission<Document> = (document: Document) => readonly Finding[];

/** `must` completes the sentence "`path` …"; the value seen is appended. */
export function refused(
  path: FieldPath,
  must: string,
  value: unknown,
  options: FindingOptions = {},
): Finding {
  return invalid(path, `${must}, not ${describeValue(value)}`, { ...options, admission: true });
}

/** A combination is refused; `what` completes the sentence "`path` …". */
export function conflicting(path: FieldPath, what: string, hint?: string): Finding {
  return invalid(path, what, { admission: true, ...(hint !== undefined && { hint }) });
}

/** Missing, or an empty text where that counts as missing. */
export function needed(path: FieldPath, hint?: string): Finding {
  return required(path, { admission: true, ...(hint !== undefined && { hint }) });
}

/** Findings for every item of a list; an absent list has none. */
export function each<T>(
  path: FieldPath,
  items: readonly T[] | undefined,
  rule: (item: T, path: FieldPath, index: number) => readonly Finding[],
): readonly Finding[] {
  return (items ?? []).flatMap((item, index) => rule(item, [...path, index], index));
}

/** One finding per item whose key occurred before. */
export function duplicates<T>(
  path: FieldPath,
  items: readonly T[] | undefined,
  key: (item: T) => string | undefined,
  field: FieldPath,
): readonly Finding[] {
  const seen = new Set<string>();
  return each(path, items, (item, at) => {
    const value = key(item);
    if (value === undefined || !seen.has(value)) {
      if (value !== undefined) seen.add(value);
      return [];
    }
    return [
      conflicting([...at, ...field], `must be unique, and ${JSON.stringify(value)} occurs twice`),
    ];
  });
}
