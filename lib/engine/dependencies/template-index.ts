import { compareStrings, sorted } from '../compare.js';
import type { SourcedObject } from '../input.js';
import type { DependentReference } from '../interpret/index.js';
import { compileLabelSelector, type LabelSelector } from '../label-selector.js';
import { refKey, refOf } from '../object.js';

/** Templates, to be found by reference or by kind and namespace. */
export interface TemplateIndex {
  readonly byKey: ReadonlyMap<string, SourcedObject>;
  /** By `kindKey`; each list is sorted by resource key. */
  readonly byKind: ReadonlyMap<string, readonly SourcedObject[]>;
}

export function indexTemplates(templates: readonly SourcedObject[]): TemplateIndex {
  const byKey = new Map<string, SourcedObject>();
  for (const template of templates) byKey.set(refKey(refOf(template.object)), template);
  const byKind = new Map<string, SourcedObject[]>();
  for (const key of sorted(byKey.keys(), compareStrings)) {
    const template = byKey.get(key);
    if (template === undefined) continue;
    const { apiVersion, kind, metadata } = template.object;
    const group = kindKey(apiVersion, kind, metadata.namespace);
    const list = byKind.get(group);
    if (list === undefined) byKind.set(group, [template]);
    else list.push(template);
  }
  return { byKey, byKind };
}

/** Templates of one kind in one namespace. */
export function templatesOf(
  index: TemplateIndex,
  apiVersion: string,
  kind: string,
  namespace: string | undefined,
): readonly SourcedObject[] {
  return index.byKind.get(kindKey(apiVersion, kind, namespace)) ?? [];
}

/** The templates a reference means: one by name, any number by label. */
export function resolve(
  index: TemplateIndex,
  reference: DependentReference,
): readonly SourcedObject[] {
  const { apiVersion, kind, namespace, name, labelSelector } = reference;
  if (name !== undefined && name !== '') {
    const key = refKey({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) });
    const found = index.byKey.get(key);
    return found === undefined ? [] : [found];
  }
  const matches = compileLabelSelector(labelSelector as LabelSelector | undefined);
  return templatesOf(index, apiVersion, kind, namespace).filter(({ object }) =>
    matches(object.metadata.labels),
  );
}

function kindKey(apiVersion: string, kind: string, namespace: string | undefined): string {
  return `${apiVersion}|${kind}|${namespace ?? ''}`;
}
