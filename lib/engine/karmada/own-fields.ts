import type { KubeObject } from '../../api/object.js';
import { entriesOf, FIELD_MANAGERS } from '../rollout/ownership.js';
import { fieldsOf, isFields } from '../interpret/field.js';
import type { OwnedTree } from '../rollout/owned-tree.js';
import { hasKeys, itemKeys } from '../rollout/owned-tree.js';

/**
 * What we last applied of a live object, as a document that could be applied again; `undefined` when we never did.
 *
 * Read from `metadata.managedFields[].fieldsV1`, so that nothing that Karmada or a person wrote is taken over. Items of
 * lists keep the live order.
 */
export function ownFields(live: KubeObject): KubeObject | undefined {
  const entry = entriesOf(live).find(
    ({ manager, operation, subresource }) =>
      manager === FIELD_MANAGERS.own && operation === 'Apply' && (subresource ?? '') === '',
  );
  if (entry?.fieldsV1 === undefined) return undefined;
  const own = pick(live, entry.fieldsV1) as Record<string, unknown>;
  const { name, namespace } = live.metadata;
  return {
    ...own,
    apiVersion: live.apiVersion,
    kind: live.kind,
    metadata: {
      ...(own['metadata'] as object | undefined),
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
    },
  };
}

/** The part of a value that a tree of owned fields names; a leaf owns the value as a whole. */
function pick(value: unknown, tree: OwnedTree): unknown {
  const keys = Object.keys(tree).filter((key) => key !== '.');
  if (keys.length === 0) return value;
  if (Array.isArray(value)) return value.flatMap((item) => pickItem(item, tree));
  if (!isFields(value)) return value;
  const picked: Record<string, unknown> = {};
  for (const key of keys) {
    const name = key.slice(2);
    if (!key.startsWith('f:') || !(name in value)) continue;
    picked[name] = pick(value[name], fieldsOf(tree[key]));
  }
  return picked;
}

function pickItem(item: unknown, tree: OwnedTree): readonly unknown[] {
  for (const [key, below] of Object.entries(tree)) {
    if (key.startsWith('v:') && key.slice(2) === JSON.stringify(item)) return [item];
    if (!key.startsWith('k:')) continue;
    const keys = itemKeys(key);
    if (!hasKeys(item, keys)) continue;
    // An item cannot be applied without the keys that name it.
    return [{ ...(pick(item, fieldsOf(below)) as object), ...keys }];
  }
  return [];
}
