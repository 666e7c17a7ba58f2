import type { KubeObject } from '../../api/object.js';
import type { ResourceSelector } from '../../api/resource-selector.js';
import { compileLabelSelector, type LabelPredicate } from '../label-selector.js';
import { objectAt } from '../interpret/field.js';

/** How precisely a policy picks an object: 0 not at all, 1 it takes all (of a kind), 2 by label, 3 by name. */
export type Precision = 0 | 1 | 2 | 3;

/** Precision of the best matching selector; a policy without selectors takes everything. */
export type Selection = (object: KubeObject) => Precision;

/** Source: lifecycle reference §7.1. */
export function compileSelection(selectors: readonly ResourceSelector[] | undefined): Selection {
  if (selectors === undefined || selectors.length === 0) return () => 1;
  const compiled = selectors.map(compileSelector);
  return (object) => compiled.reduce<Precision>((best, select) => higher(best, select(object)), 0);
}

function higher(a: Precision, b: Precision): Precision {
  return a > b ? a : b;
}

function compileSelector({
  apiVersion,
  kind,
  namespace = '',
  name = '',
  labelSelector,
}: ResourceSelector): Selection {
  const matches = compileDetail(name, labelSelector);
  const precision: Precision = name !== '' ? 3 : labelSelector === undefined ? 1 : 2;
  return (object) => {
    if (object.apiVersion !== apiVersion || object.kind !== kind) return 0;
    if (namespace !== '' && object.metadata.namespace !== namespace) return 0;
    return matches(object) ? precision : 0;
  };
}

function compileDetail(
  name: string,
  labelSelector: ResourceSelector['labelSelector'],
): (object: KubeObject) => boolean {
  if (name !== '') return (object) => object.metadata.name === name;
  if (labelSelector === undefined) return () => true;
  const matches: LabelPredicate = compileLabelSelector(labelSelector);
  return (object) =>
    matches(objectAt(object.metadata, 'labels') as Readonly<Record<string, string>> | undefined);
}
