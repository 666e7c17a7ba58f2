import type { KubeObject } from '../../api/object.js';
import { compareStrings, sorted } from '../compare.js';
import type { PathStep } from './drift.js';
import type { OwnedTree } from './owned-tree.js';
import { hasKeys, itemKeys } from './owned-tree.js';
import { entriesOf } from './ownership.js';
import { fieldsOf, isFields } from '../interpret/field.js';

/**
 * Who owns a field of a live object, sorted; empty: nobody (a default, or something that no manager wrote).
 *
 * Owning a map or list as a whole is owning what is in it. Format: `metadata.managedFields[].fieldsV1`.
 */
export function managersAt(live: KubeObject, steps: readonly PathStep[]): readonly string[] {
  return owners(live, steps, () => true);
}

/**
 * Those of {@link managersAt} that own the value itself, so that another value conflicts with them. Who owns only items of
 * a list or members of a map is not among them.
 */
export function holdersAt(live: KubeObject, steps: readonly PathStep[]): readonly string[] {
  return owners(live, steps, (tree) => Object.keys(tree).length === 0);
}

type IsOwned = (tree: OwnedTree) => boolean;

function owners(live: KubeObject, steps: readonly PathStep[], isOwned: IsOwned): readonly string[] {
  const found = entriesOf(live).flatMap(({ manager, subresource, fieldsV1 }) => {
    if (manager === undefined || (subresource ?? '') === 'status') return [];
    return owns(fieldsV1, live, steps, isOwned) ? [manager] : [];
  });
  return sorted(new Set(found), compareStrings);
}

function owns(
  tree: unknown,
  value: unknown,
  steps: readonly PathStep[],
  isOwned: IsOwned,
): boolean {
  if (!isFields(tree)) return false;
  const [step, ...rest] = steps;
  if (step === undefined) return isOwned(tree);
  // A leaf of the tree above the field: its value is owned as a whole (an atomic map or list).
  if (Object.keys(tree).length === 0) return true;
  if (step.kind === 'member') {
    const below = tree[`f:${step.name}`];
    return below !== undefined && owns(below, memberOf(value, step.name), rest, isOwned);
  }
  const item = itemOf(value, step);
  return Object.entries(tree).some(
    ([key, below]) => isKeyOf(key, item) && owns(below, item, rest, isOwned),
  );
}

function isKeyOf(key: string, item: unknown): boolean {
  if (key.startsWith('v:')) return key.slice(2) === JSON.stringify(item);
  return key.startsWith('k:') && hasKeys(item, itemKeys(key));
}

function itemOf(value: unknown, step: Extract<PathStep, { kind: 'item' }>): unknown {
  if (!Array.isArray(value)) return undefined;
  return step.name === undefined
    ? value[step.index]
    : value.find((item) => isFields(item) && item['name'] === step.name);
}

function memberOf(value: unknown, name: string): unknown {
  return fieldsOf(value)[name];
}
