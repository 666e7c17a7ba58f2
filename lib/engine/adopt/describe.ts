import { shortJson } from '../canonical.js';
import { describeRef } from '../object.js';
import type { FieldChange } from './changes.js';
import type { PreviewedObject } from './preview.js';
import type { Skipped } from './propose.js';

/**
 * The preview as text: every object on every cluster with who writes it now, and each field that an apply would change.
 * Ends with what was left alone. Builtin objects are not mentioned.
 */
export function describeAdoption(
  objects: readonly PreviewedObject[],
  skipped: readonly Skipped[],
): string {
  const lines = [...byResource(objects)].flatMap(([name, all]) => [
    name,
    ...all.flatMap(describeObject),
  ]);
  const left = skipped
    .filter(({ kind }) => kind === 'foreign')
    .map(({ cluster, resource, reason }) => `  ${cluster}  ${describeRef(resource)} · ${reason}`);
  return [...lines, ...(left.length > 0 ? ['', 'Left alone', ...left] : []), '']
    .join('\n')
    .replace(/^\n/, '');
}

function byResource(
  objects: readonly PreviewedObject[],
): ReadonlyMap<string, readonly PreviewedObject[]> {
  const found = new Map<string, PreviewedObject[]>();
  for (const one of objects) {
    const name = describeRef(one.resource);
    const known = found.get(name);
    if (known === undefined) found.set(name, [one]);
    else known.push(one);
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describeObject(one: PreviewedObject): readonly string[] {
  if (!one.exists) return [`  + ${one.cluster}  would be created`];
  const by = one.managers.length === 0 ? '' : ` · written by ${one.managers.join(', ')}`;
  if (one.fields.length === 0) return [`  = ${one.cluster}  stays as it is${by}`];
  const pods = one.restartsPods ? ', pods restart' : '';
  return [
    `  ~ ${one.cluster}  ${one.fields.length} field${one.fields.length === 1 ? '' : 's'} change${one.fields.length === 1 ? 's' : ''}${pods}${by}`,
    ...one.fields.map((field) => `      ${field.path}${describeChange(field)}`),
  ];
}

function describeChange({ before, after }: FieldChange): string {
  if (before === undefined && after === undefined) return '';
  return `: ${describeValue(before)} → ${describeValue(after)}`;
}

function describeValue(value: unknown): string {
  return value === undefined ? '(none)' : shortJson(value);
}
