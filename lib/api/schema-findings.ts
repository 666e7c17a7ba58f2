import type { z } from 'zod';
import {
  type FieldPath,
  type Finding,
  describePath,
  describeValue,
  invalid,
  required,
} from './finding.js';
import { type RemovedField, removedField } from './removed.js';
import { fieldsOf, placesOf, schemaAt } from './shape.js';
import { suggest } from './suggestion.js';
import { isRecord } from './value.js';

type Schema = z.core.$ZodType;
type Issue = z.core.$ZodIssue;

export interface SchemaVerdict {
  /** Empty: the document fits. Unsorted. */
  readonly findings: readonly Finding[];
  /** Nothing but unknown fields is wrong: the known ones are there and have their types. */
  readonly readable: boolean;
}

/** What a schema refuses in a document of this kind. */
export function schemaVerdict(schema: z.ZodType, kind: string, document: unknown): SchemaVerdict {
  const parsed = schema.safeParse(document);
  if (parsed.success) return { findings: [], readable: true };
  const findings: Finding[] = [];
  const found: FieldPath[] = [];
  for (const issue of parsed.error.issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    for (const key of issue.keys) {
      const { finding, place } = unknownField(schema, kind, issue.path as FieldPath, key);
      findings.push(finding);
      if (place !== undefined) found.push([...place, key]);
    }
  }
  for (const issue of parsed.error.issues) {
    if (issue.code === 'unrecognized_keys') continue;
    const finding = valueFinding(kind, document, issue);
    // A required field that was found at the wrong level is one mistake, not two.
    const elsewhere = found.some((place) => samePlace(place, finding.path));
    if (finding.code !== 'FIELD_REQUIRED' || !elsewhere) findings.push(finding);
  }
  const readable = parsed.error.issues.every((issue) => issue.code === 'unrecognized_keys');
  return { findings, readable };
}

function samePlace(a: FieldPath, b: FieldPath): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}

/** A field that its parent does not have: removed, misplaced, misspelt, or just unknown. */
function unknownField(
  schema: Schema,
  kind: string,
  at: FieldPath,
  key: string,
): { readonly finding: Finding; readonly place?: FieldPath } {
  const path = [...at, key];
  const removed = removedField(kind, path);
  if (removed !== undefined) {
    const summary = `${describePath(path)} was removed from the API${since(removed)}.`;
    return {
      finding: { code: 'FIELD_REMOVED', path, summary, hint: `Use ${removed.replacement}.` },
    };
  }
  const parent = schemaAt(schema, at);
  const siblings = parent === undefined ? [] : Object.keys(fieldsOf(parent) ?? {});
  const spelt = suggest(key, siblings);
  const place = placesOf(schema, key, at)[0];
  if (place !== undefined && (spelt === undefined || spelt.distance > 1)) {
    const right = placeText(place);
    const where = at.length === 0 ? 'the root of the document' : `\`${describePath(at)}\``;
    return {
      place,
      finding: {
        code: 'DOCUMENT_MISPLACED_FIELD',
        path,
        summary: `\`${key}\` belongs under \`${right}\`, not at ${where}.`,
        hint: `Move it to \`${right}.${key}\`; the indentation may be off.`,
      },
    };
  }
  const name = at.length === 0 ? kind : `\`${describePath(at)}\``;
  return {
    finding: {
      code: 'FIELD_UNKNOWN',
      path,
      summary: `${name} has no field \`${key}\`.`,
      hint:
        spelt !== undefined
          ? `Did you mean \`${spelt.name}\`?`
          : `Known fields: ${[...siblings].sort().join(', ')}.`,
    },
  };
}

function since(removed: RemovedField): string {
  return removed.since === undefined ? '' : ` in ${removed.since}`;
}

function placeText(place: FieldPath): string {
  return place.join('.').replaceAll('.[]', '[]');
}

/** A field whose value is missing or refused. */
function valueFinding(kind: string, document: unknown, issue: Issue): Finding {
  const path = issue.path as FieldPath;
  const value = valueAt(document, path);
  if (value === undefined) return required(path);
  const removed = removedField(kind, path, value);
  if (removed?.value !== undefined) {
    const summary = `${describePath(path)}: the value ${describeValue(value)} was removed from the API${since(removed)}.`;
    return { code: 'FIELD_REMOVED', path, summary, hint: `Use ${removed.replacement}.` };
  }
  const hint = hintFor(issue, value);
  return invalid(path, `${expectation(issue)}, not ${describeValue(value)}`, {
    ...(hint !== undefined && { hint }),
  });
}

function valueAt(document: unknown, path: FieldPath): unknown {
  let value = document;
  for (const segment of path) {
    if (Array.isArray(value)) value = value[segment as number];
    else if (isRecord(value)) value = value[segment];
    else return undefined;
  }
  return value;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a whole number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};

const UNITS: Readonly<Record<string, string>> = { array: ' items', string: ' characters' };

/** Completes the sentence "the field …". */
function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${describeValue(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must have at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`.replace(
        /have (?=at least -?\d+$)/,
        'be ',
      );
    case 'too_big':
      return `must have at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`.replace(
        /have (?=at most -?\d+$)/,
        'be ',
      );
    case 'invalid_format':
      return formatExpectation(issue);
    case 'custom':
      return issue.message;
    default:
      return issue.message.startsWith('must ') ? issue.message : 'has none of the allowed forms';
  }
}

function formatExpectation(issue: { readonly format: string; readonly pattern?: string }): string {
  if (issue.format === 'datetime') return 'must be an RFC 3339 time such as 2026-01-31T10:00:00Z';
  if (issue.format === 'base64') return 'must be base64';
  return `must match ${issue.pattern ?? issue.format}`;
}

function hintFor(issue: Issue, value: unknown): string | undefined {
  if (issue.code === 'invalid_type' && issue.expected === 'string') {
    if (typeof value === 'number' || typeof value === 'boolean') {
      return `Quote it: "${String(value)}".`;
    }
  }
  if (issue.code === 'invalid_type' && typeof value === 'string') {
    const isMeant = issue.expected === 'boolean' ? /^(true|false)$/ : /^-?\d+$/;
    if (['boolean', 'number', 'int'].includes(issue.expected) && isMeant.test(value)) {
      return `Leave out the quotes: ${value}.`;
    }
  }
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const meant = suggest(value, issue.values.map(String));
    if (meant !== undefined) return `Did you mean ${meant.name}?`;
  }
  return undefined;
}
