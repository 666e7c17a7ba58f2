import {
  type FieldPath,
  type Finding,
  describePath,
  describeValue,
  invalid,
  required,
} from './finding.js';
import { isDnsSubdomain, isDnsLabel, isLabelKey, isLabelValue, isPathSegment } from './format.js';
import { REMOVED_LABELS } from './removed.js';
import { METADATA_FIELDS } from './shape.js';
import { suggest } from './suggestion.js';
import { isRecord } from './value.js';

const KNOWN: ReadonlySet<string> = new Set(METADATA_FIELDS);

export interface MetadataRules {
  /** Custom resources have DNS subdomains as names; other kinds have their own rules. */
  readonly dnsName: boolean;
}

/** What every object must have in common, whatever its kind: a name, labels and annotations made of text. */
export function metadataFindings(
  document: Readonly<Record<string, unknown>>,
  rules: MetadataRules,
): Finding[] {
  const metadata = document['metadata'];
  if (metadata === undefined || metadata === null) return [required(['metadata'])];
  if (!isRecord(metadata)) {
    return [invalid(['metadata'], `must be an object, not ${describeValue(metadata)}`)];
  }
  return [
    ...Object.keys(metadata)
      .filter((key) => !KNOWN.has(key))
      .map(unknownKey),
    ...nameFindings(metadata, rules),
    ...labelFindings(['metadata', 'labels'], metadata['labels']),
    ...annotationFindings(['metadata', 'annotations'], metadata['annotations']),
  ];
}

/** Labels and annotations of the pod template, where YAML's numbers and booleans are the same mistake. */
export function podTemplateFindings(document: Readonly<Record<string, unknown>>): Finding[] {
  const path = ['spec', 'template', 'metadata'];
  let metadata: unknown = document;
  for (const part of path) metadata = isRecord(metadata) ? metadata[part] : undefined;
  if (!isRecord(metadata)) return [];
  return [
    ...labelFindings([...path, 'labels'], metadata['labels']),
    ...annotationFindings([...path, 'annotations'], metadata['annotations']),
  ];
}

function unknownKey(key: string): Finding {
  const path = ['metadata', key];
  const meant = suggest(key, METADATA_FIELDS);
  return {
    code: 'FIELD_UNKNOWN',
    path,
    summary: `\`metadata\` has no field \`${key}\`.`,
    hint:
      meant === undefined
        ? 'Labels go under `metadata.labels`, free text under `metadata.annotations`.'
        : `Did you mean \`${meant.name}\`?`,
  };
}

function nameFindings(
  metadata: Readonly<Record<string, unknown>>,
  rules: MetadataRules,
): Finding[] {
  const { name, namespace, generateName } = metadata;
  const findings: Finding[] = [];
  if (name === undefined || name === null || name === '') {
    if (typeof generateName !== 'string') findings.push(required(['metadata', 'name']));
  } else if (typeof name !== 'string') {
    findings.push(notText(['metadata', 'name'], name));
  } else if (rules.dnsName ? !isDnsSubdomain(name) : !isPathSegment(name)) {
    const must = rules.dnsName
      ? 'must be lower case letters, digits, "-" and ".", starting and ending with a letter or digit'
      : 'must contain neither "/" nor "%"';
    findings.push(invalid(['metadata', 'name'], `${must}, not ${describeValue(name)}`));
  }
  if (namespace === undefined || namespace === null || namespace === '') return findings;
  if (typeof namespace !== 'string') findings.push(notText(['metadata', 'namespace'], namespace));
  else if (!isDnsLabel(namespace)) {
    const must = 'must be a DNS label (lower case letters, digits, "-")';
    findings.push(invalid(['metadata', 'namespace'], `${must}, not ${describeValue(namespace)}`));
  }
  return findings;
}

function labelFindings(path: FieldPath, labels: unknown): Finding[] {
  return textMapFindings(path, labels, (key, value) => {
    const at = [...path, key];
    const replacement = Object.hasOwn(REMOVED_LABELS, key) ? REMOVED_LABELS[key] : undefined;
    if (replacement !== undefined) return removedLabel(at, replacement);
    if (!isLabelKey(key)) return invalid(at, 'is not a label key: use "name" or "domain/name"');
    if (isLabelValue(value)) return undefined;
    const must = 'must be at most 63 letters, digits, "-", "_" and "."';
    return invalid(at, `${must}, not ${describeValue(value)}`, {
      hint: 'Free text belongs in an annotation.',
    });
  });
}

function removedLabel(path: FieldPath, replacement: string): Finding {
  return {
    code: 'FIELD_REMOVED',
    path,
    summary: `${describePath(path)} is a former label: Karmada reads it nowhere.`,
    hint: `Use ${replacement}.`,
    ignored: true,
  };
}

function annotationFindings(path: FieldPath, annotations: unknown): Finding[] {
  return textMapFindings(path, annotations, (key) =>
    isLabelKey(key.toLowerCase())
      ? undefined
      : invalid([...path, key], 'is not an annotation key: use "name" or "domain/name"'),
  );
}

function textMapFindings(
  path: FieldPath,
  map: unknown,
  rule: (key: string, value: string) => Finding | undefined,
): Finding[] {
  if (map === undefined || map === null) return [];
  if (!isRecord(map)) {
    return [invalid(path, `must be an object, not ${describeValue(map)}`)];
  }
  return Object.entries(map).flatMap(([key, value]) => {
    // An API server reads a key without value as an empty text.
    if (value === null || value === undefined) return [];
    const finding = typeof value === 'string' ? rule(key, value) : notText([...path, key], value);
    return finding === undefined ? [] : [finding];
  });
}

function notText(path: FieldPath, value: unknown): Finding {
  const scalar = typeof value === 'number' || typeof value === 'boolean';
  return {
    code: 'FIELD_INVALID',
    path,
    summary: `${describePath(path)} must be text, not ${describeValue(value)}.`,
    ...(scalar && { hint: `Quote it: ${String(path.at(-1))}: "${String(value)}".` }),
  };
}
