import type { Finding } from '../api/finding.js';
import { describePath } from '../api/finding.js';
import { editDistance } from '../api/suggestion.js';
import { compareStrings } from '../engine/compare.js';
import type { SchemaFinding } from '../engine/input.js';
import { isFields } from '../engine/interpret/field.js';
import type { KubeObject } from '../engine/object.js';
import { groupOf } from '../engine/object.js';
import { builtinSchema, type Schema } from './sandbox/schema/schema.js';

/** Groups whose kinds are checked: what runs, what scales it, and what leads to it. */
const GROUPS: ReadonlySet<string> = new Set([
  '',
  'apps',
  'autoscaling',
  'batch',
  'networking.k8s.io',
  'policy',
]);

/** Shorter names have too many neighbours. */
const LEAST_LETTERS = 4;
/** From so many letters on, two may differ. */
const LONG_NAME = 9;

/**
 * Misspelt fields in templates of Kubernetes' own kinds (`replcias`): an API server drops them silently, and the plan would be
 * made without them. Sorted like the document; FIELD_UNKNOWN, as a suspicion.
 *
 * The fields are those of the OpenAPI document of Kubernetes that the simulated clusters are generated from. Newer clusters
 * have more, so an unknown name alone is nothing: only one that all but is a known name. Metadata of the object itself is checked with every document's.
 */
export function misspeltFields(object: KubeObject): readonly SchemaFinding[] {
  if (!GROUPS.has(groupOf(object.apiVersion))) return [];
  const schema = builtinSchema(object.apiVersion, object.kind);
  if (schema === undefined) return [];
  const findings: Finding[] = [];
  const { metadata: _metadata, ...content } = object;
  walk(content, schema, [], findings);
  return findings.map((finding) => ({ ...finding, suspected: true }));
}

function walk(
  value: unknown,
  schema: Schema,
  path: readonly (string | number)[],
  findings: Finding[],
): void {
  if (schema.kind === 'list') {
    if (!Array.isArray(value) || isLeaf(schema.element)) return;
    for (const [i, item] of value.entries()) walk(item, schema.element, [...path, i], findings);
    return;
  }
  if (!isFields(value)) return;
  if (schema.kind === 'map') {
    if (isLeaf(schema.element)) return;
    for (const key in value) walk(value[key], schema.element, [...path, key], findings);
    return;
  }
  if (schema.kind !== 'struct' || schema.open) return;
  for (const key in value) {
    const field = schema.fields.get(key);
    if (field === undefined) {
      const meant = tryFindMeant(key, schema.fields);
      if (meant !== undefined) findings.push(misspelt([...path, key], meant));
    } else if (!isLeaf(field)) walk(value[key], field, [...path, key], findings);
  }
}

/** Nothing below it has names that are known. */
function isLeaf({ kind }: Schema): boolean {
  return kind === 'scalar' || kind === 'any';
}

function tryFindMeant(name: string, fields: ReadonlyMap<string, Schema>): string | undefined {
  if (name.length < LEAST_LETTERS) return undefined;
  return [...fields.keys()].sort(compareStrings).find((known) => isNear(name, known));
}

/** Other letter case, one letter more, less or other (two in long names), or two neighbours that changed places. */
function isNear(name: string, known: string): boolean {
  if (Math.abs(name.length - known.length) > 2 || known.length < LEAST_LETTERS) return false;
  const [a, b] = [name.toLowerCase(), known.toLowerCase()];
  const distance = editDistance(a, b);
  const limit = Math.min(a.length, b.length) >= LONG_NAME ? 2 : 1;
  return distance <= limit || (distance === 2 && isTransposed(a, b));
}

function isTransposed(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const i = [...a].findIndex((letter, at) => letter !== b[at]);
  return a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2);
}

function misspelt(path: readonly (string | number)[], meant: string): Finding {
  return {
    code: 'FIELD_UNKNOWN',
    path,
    summary: `${describePath(path)} is no field that Kubernetes knows; clusters would drop it, and the plan is made without it.`,
    hint: `Did you mean ${meant}?`,
  };
}
