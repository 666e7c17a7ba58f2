import type { KubeObject } from '../../api/object.js';
import { FIELD_MANAGERS, entriesOf, isOurManager } from './ownership.js';
import { fieldsOf, isFields } from '../interpret/field.js';
import type { OwnedTree } from './owned-tree.js';
import { hasKeys, itemKeys } from './owned-tree.js';

/**
 * Fields of `desired` that another manager owns and we do not (any more), as paths; empty: none.
 *
 * Somebody who takes a field by force takes it from us. When they put the value back nothing differs, and still it would
 * vanish when they let go of it: so it is applied again, which shares it or says who has it. Format of ownership:
 * `metadata.managedFields[].fieldsV1` of Kubernetes' server-side apply.
 */
export function lostFields(desired: KubeObject, live: KubeObject): readonly string[] {
  const entries = entriesOf(live).filter(({ subresource }) => (subresource ?? '') === '');
  const ours = entries
    .filter(({ manager }) => manager === FIELD_MANAGERS.own)
    .map(({ fieldsV1 }) => fieldsV1 ?? {});
  const found = new Set<string>();
  for (const { manager, fieldsV1 = {} } of entries) {
    if (!isOurManager(manager)) collect(fieldsV1, ours, desired, '', found);
  }
  return [...found].sort();
}

function collect(
  theirs: OwnedTree,
  ours: readonly OwnedTree[],
  desired: unknown,
  path: string,
  found: Set<string>,
): void {
  for (const [key, below] of Object.entries(theirs)) {
    const value = memberOf(desired, key);
    if (value === undefined) continue;
    const oursBelow = ours.flatMap((tree) => (isFields(tree[key]) ? [tree[key]] : []));
    const here = `${path}${nameOf(key)}`;
    if (isFields(below) && Object.keys(below).length > 0) {
      collect(below, oursBelow, value, here, found);
    } else if (oursBelow.length === 0) {
      found.add(here);
    }
  }
}

/** What a key of the tree stands for; sets and whole items own nothing by path. */
function memberOf(desired: unknown, key: string): unknown {
  if (key.startsWith('f:')) return fieldsOf(desired)[key.slice(2)];
  if (!key.startsWith('k:') || !Array.isArray(desired)) return undefined;
  const keys = itemKeys(key);
  return desired.find((item) => hasKeys(item, keys));
}

function nameOf(key: string): string {
  return key.startsWith('f:') ? `.${key.slice(2)}` : `[${key.slice(2)}]`;
}
