import type { KubeObject } from '../../api/object.js';
import { entriesOf, FIELD_MANAGERS } from '../rollout/ownership.js';

type Tree = Readonly<Record<string, unknown>>;

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
function pick(value: unknown, tree: Tree): unknown {
  const keys = Object.keys(tree).filter((key) => key !== '.');
  if (keys.length === 0) return value;
  if (Array.isArray(value)) return value.flatMap((item) => pickItem(item, tree));
  if (!isTree(value)) return value;
  const picked: Record<string, unknown> = {};
  for (const key of keys) {
    const name = key.slice(2);
    if (!key.startsWith('f:') || !(name in value)) continue;
    picked[name] = pick(value[name], toTree(tree[key]));
  }
  return picked;
}

/** `k:{…}` names an item of a list by its keys, `v:…` an item of a set by its value. */
function pickItem(item: unknown, tree: Tree): readonly unknown[] {
  for (const [key, below] of Object.entries(tree)) {
    if (key.startsWith('v:') && key.slice(2) === JSON.stringify(item)) return [item];
    if (!key.startsWith('k:') || !isTree(item)) continue;
    const keys = JSON.parse(key.slice(2)) as Tree;
    if (!Object.entries(keys).every(([name, value]) => item[name] === value)) continue;
    // An item cannot be applied without the keys that name it.
    return [{ ...(pick(item, toTree(below)) as object), ...keys }];
  }
  return [];
}

const toTree = (value: unknown): Tree => (isTree(value) ? value : {});

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
