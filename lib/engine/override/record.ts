import type { Overriders } from '../../api/overriders.js';
import { compareBy, sorted } from '../compare.js';
import type { OverrideRule } from './rule.js';

/** One entry of Karmada's record of what was applied. */
export interface AppliedOverride {
  readonly policyName: string;
  readonly overriders: Overriders;
}

/** The record for one group of policies: an entry per rule, sorted by policy name, with Karmada's order of fields. */
export function appliedOf(
  rules: readonly OverrideRule[],
  kind: OverrideRule['policy']['kind'],
): readonly AppliedOverride[] {
  const applied = rules
    .filter(({ policy, containers }) => policy.kind === kind && containers === undefined)
    .map(({ policy, overriders }) => ({
      policyName: policy.name,
      overriders: recordOf(overriders),
    }));
  return sorted(
    applied,
    compareBy(({ policyName }) => policyName),
  );
}

/** Fields of each overrider, as Karmada writes them. Those marked with `?` are left out when empty. */
const FIELDS = {
  plaintext: ['path', 'operator', 'value'],
  imageOverrider: ['predicate?', 'component', 'operator', 'value?'],
  commandOverrider: ['containerName', 'operator', 'value?'],
  argsOverrider: ['containerName', 'operator', 'value?'],
  labelsOverrider: ['operator', 'value?'],
  annotationsOverrider: ['operator', 'value?'],
  fieldOverrider: ['fieldPath', 'json?', 'yaml?'],
} as const satisfies Record<keyof Overriders, readonly string[]>;

const DOCUMENT_PATCH = ['subPath', 'operator', 'value'] as const;

function recordOf(overriders: Overriders): Overriders {
  const record: Record<string, unknown> = {};
  for (const [name, fields] of Object.entries(FIELDS)) {
    const list = overriders[name as keyof Overriders] ?? [];
    if (list.length > 0) record[name] = list.map((overrider) => pick(overrider, fields));
  }
  return record as Overriders;
}

function pick(overrider: object, fields: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const field of fields) {
    const name = field.replace('?', '');
    const value = (overrider as Record<string, unknown>)[name];
    if (field !== name && isEmpty(value)) continue;
    const isDocument = name === 'json' || name === 'yaml';
    picked[name] = isDocument
      ? (value as readonly object[]).map((patch) => pick(patch, DOCUMENT_PATCH))
      : (value ?? null);
  }
  return picked;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
