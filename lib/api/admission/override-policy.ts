import type { ClusterOverridePolicy } from '../cluster-override-policy.js';
import type { FieldPath, Finding } from '../finding.js';
import { isJsonPointer, isLabelKey, isLabelValue } from '../format.js';
import type { OverridePolicy, OverrideSpec } from '../override-policy.js';
import type { DocumentPatch, FieldOverrider, Overriders } from '../overriders.js';
import { affinityRules } from './field-selector.js';
import { conflicting, each, needed, refused } from './report.js';
import { selectorNamespaceRules } from './selector-namespace.js';

const ANNOTATIONS_LIMIT = 256 * 1024;

export function overridePolicyRules(policy: OverridePolicy): readonly Finding[] {
  return [
    ...selectorNamespaceRules(policy.metadata.namespace, policy.spec.resourceSelectors),
    ...overrideSpecRules(policy.spec),
  ];
}

export function clusterOverridePolicyRules(policy: ClusterOverridePolicy): readonly Finding[] {
  return overrideSpecRules(policy.spec);
}

function overrideSpecRules(spec: OverrideSpec): readonly Finding[] {
  const rules = ['spec', 'overrideRules'];
  const hasRules = spec.overrideRules !== undefined;
  return [
    ...(hasRules && spec.targetCluster !== undefined
      ? [conflicting(['spec', 'targetCluster'], 'must not be combined with overrideRules')]
      : []),
    ...(hasRules && hasEdits(spec.overriders)
      ? [
          conflicting(
            ['spec', 'overriders'],
            'must not be combined with overrideRules',
            'Make it a rule of its own.',
          ),
        ]
      : []),
    ...affinityRules(['spec', 'targetCluster'], spec.targetCluster),
    ...each(rules, spec.overrideRules, (rule, at) => [
      ...affinityRules([...at, 'targetCluster'], rule.targetCluster),
      ...overridersRules([...at, 'overriders'], rule.overriders),
    ]),
  ];
}

/** The webhook does not count `fieldOverrider` here. */
function hasEdits(overriders: Overriders | undefined): boolean {
  const { fieldOverrider: _, ...counted } = overriders ?? {};
  return Object.values(counted).some((edits) => edits.length > 0);
}

function overridersRules(path: FieldPath, overriders: Overriders): readonly Finding[] {
  return [
    ...each([...path, 'annotationsOverrider'], overriders.annotationsOverrider, (edit, at) =>
      annotationRules([...at, 'value'], edit.value),
    ),
    ...each([...path, 'labelsOverrider'], overriders.labelsOverrider, (edit, at) =>
      labelRules([...at, 'value'], edit.value),
    ),
    ...each([...path, 'imageOverrider'], overriders.imageOverrider, (edit, at) =>
      pointerRules([...at, 'predicate', 'path'], edit.predicate?.path ?? ''),
    ),
    ...each([...path, 'fieldOverrider'], overriders.fieldOverrider, fieldOverriderRules),
  ];
}

function annotationRules(
  path: FieldPath,
  map: Readonly<Record<string, string>>,
): readonly Finding[] {
  const size = Object.entries(map).reduce(
    (sum, [key, value]) => sum + key.length + value.length,
    0,
  );
  return [
    ...Object.keys(map)
      .filter((key) => !isLabelKey(key.toLowerCase()))
      .map((key) => conflicting([...path, key], 'is not an annotation key')),
    ...(size > ANNOTATIONS_LIMIT ? [refused(path, 'must not exceed 256 KiB', size)] : []),
  ];
}

function labelRules(path: FieldPath, map: Readonly<Record<string, string>>): readonly Finding[] {
  return Object.entries(map).flatMap(([key, value]) => [
    ...(isLabelKey(key) ? [] : [conflicting([...path, key], 'is not a label key')]),
    ...(isLabelValue(value) ? [] : [refused([...path, key], 'must be a label value', value)]),
  ]);
}

function fieldOverriderRules(edit: FieldOverrider, path: FieldPath): readonly Finding[] {
  const json = edit.json ?? [];
  const yaml = edit.yaml ?? [];
  return [
    ...pointerRules([...path, 'fieldPath'], edit.fieldPath),
    ...(json.length > 0 && yaml.length > 0
      ? [
          conflicting(
            [...path, 'yaml'],
            'must not be combined with json',
            'Split the entry in two.',
          ),
        ]
      : []),
    ...(json.length === 0 && yaml.length === 0
      ? [needed([...path, 'json'], 'Give `json` or `yaml`: the edits, in the format of the field.')]
      : []),
    ...each([...path, 'json'], json, patchRules),
    ...each([...path, 'yaml'], yaml, patchRules),
  ];
}

function patchRules(patch: DocumentPatch, path: FieldPath): readonly Finding[] {
  const hasValue = patch.value !== undefined;
  return [
    ...pointerRules([...path, 'subPath'], patch.subPath),
    ...(patch.operator === 'remove' && hasValue
      ? [conflicting([...path, 'value'], 'must be left out for remove')]
      : []),
    ...(patch.operator !== 'remove' && !hasValue
      ? [conflicting([...path, 'value'], `is needed for ${patch.operator}`)]
      : []),
  ];
}

function pointerRules(path: FieldPath, pointer: string): readonly Finding[] {
  return isJsonPointer(pointer)
    ? []
    : [refused(path, 'must be a JSON Pointer, starting with "/"', pointer)];
}
