import { withTable } from './defaults/table.js';
import {
  type Finding,
  compareFindings,
  describePath,
  describeValue,
  invalid,
  required,
} from './finding.js';
import { KINDS, type KindEntry } from './kinds.js';
import { metadataFindings, podTemplateFindings } from './metadata.js';
import type { KubeObject } from './object.js';
import { REMOVED_FIELDS } from './removed.js';
import { schemaVerdict } from './schema-findings.js';
import { withoutNulls } from './shape.js';
import { suggest } from './suggestion.js';
import { isRecord } from './value.js';

/** API groups whose every kind is known here, so that an unknown one is a mistake. */
const OWN_GROUP = /^([a-z]+\.karmada\.io|fleetwright\.dev)\//;

/**
 * Everything wrong with one document, sorted by path. Empty: Karmada (or, for our own kinds, Fleetwright) takes it.
 *
 * Karmada's kinds and ours are checked against their schema and the rules of their admission webhooks, which are
 * marked `admission`. Rules that need other objects or a flag of the control plane are left out: unique interpreter
 * customizations, quota, Lua syntax, `NoExecute` in ClusterTaintPolicy, and all that compare with the stored object.
 * Of other kinds only apiVersion, kind, metadata and the pod template's labels and annotations are looked at.
 */
export function validateDocument(object: unknown): readonly Finding[] {
  if (!isRecord(object)) return [invalid([], `must be an object, not ${describeValue(object)}`)];
  const { apiVersion, kind } = object;
  const identity = (['apiVersion', 'kind'] as const).flatMap((field) => typeFinding(object, field));
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || identity.length > 0) {
    return [...identity, ...metadataFindings(object, { dnsName: false })].sort(compareFindings);
  }
  const entry = KINDS[`${apiVersion}/${kind}`];
  const findings =
    entry === undefined
      ? [
          ...(OWN_GROUP.test(apiVersion) ? [unknownKind(apiVersion, kind)] : []),
          ...metadataFindings(object, { dnsName: false }),
          ...podTemplateFindings(object),
        ]
      : [...metadataFindings(object, { dnsName: true }), ...kindFindings(entry, object)];
  return findings.sort(compareFindings);
}

function typeFinding(
  object: Readonly<Record<string, unknown>>,
  field: 'apiVersion' | 'kind',
): readonly Finding[] {
  const value = object[field];
  if (value === undefined || value === null || value === '') return [required([field])];
  return typeof value === 'string'
    ? []
    : [invalid([field], `must be text, not ${describeValue(value)}`)];
}

/** Right kind in the wrong version, or no such kind. */
function unknownKind(apiVersion: string, kind: string): Finding {
  const entries = Object.values(KINDS);
  const elsewhere = entries.find((entry) => entry.kind === kind);
  if (elsewhere !== undefined) {
    const must = `has no kind ${kind}`;
    return {
      ...invalid(['apiVersion'], `${JSON.stringify(apiVersion)} ${must}`),
      hint: `Use apiVersion: ${elsewhere.apiVersion}.`,
    };
  }
  const group = entries.filter((entry) => entry.apiVersion === apiVersion).map((e) => e.kind);
  const meant = suggest(kind, group.length > 0 ? group : entries.map((entry) => entry.kind));
  return {
    ...invalid(['kind'], `${JSON.stringify(kind)} does not exist in ${apiVersion}`),
    ...(meant !== undefined && { hint: `Did you mean ${meant.name}?` }),
  };
}

function kindFindings(entry: KindEntry, object: Readonly<Record<string, unknown>>): Finding[] {
  // Metadata is judged on its own; here it only has to be there.
  const metadata = isRecord(object['metadata']) ? object['metadata'] : {};
  const stored = withoutNulls(entry.schema, { ...object, metadata });
  const document = withTable(stored, entry.defaults);
  const { findings, readable } = schemaVerdict(entry.schema, entry.kind, document);
  return [
    ...findings.filter((finding) => finding.path[0] !== 'metadata'),
    ...ignoredFindings(entry.kind, document),
    ...(readable ? admissionFindings(entry, document) : []),
  ];
}

function admissionFindings(
  entry: KindEntry,
  document: Readonly<Record<string, unknown>>,
): readonly Finding[] {
  // The schema has accepted its known fields.
  const object = document as unknown as KubeObject;
  return entry.admission?.(entry.mutation?.(object, {}) ?? object) ?? [];
}

function ignoredFindings(
  kind: string,
  document: Readonly<Record<string, unknown>>,
): readonly Finding[] {
  return REMOVED_FIELDS.filter(
    (field) => field.ignored === true && field.kinds.includes(kind),
  ).flatMap((field): readonly Finding[] => {
    const path = field.path.split('.');
    let value: unknown = document;
    for (const part of path) value = isRecord(value) ? value[part] : undefined;
    if (value === undefined) return [];
    const summary = `${describePath(path)} is a former spelling: Karmada takes it and reads it nowhere.`;
    const hint = `Use ${field.replacement}.`;
    return [{ code: 'FIELD_REMOVED', path, summary, hint, ignored: true }];
  });
}
