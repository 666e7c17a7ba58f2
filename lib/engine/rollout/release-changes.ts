import type { KubeObject, ObjectRef } from '../../api/object.js';
import { compareBy, sorted } from '../compare.js';
import { fieldsOf, isFields, type Fields } from '../interpret/field.js';
import type { Interpreter } from '../interpret/index.js';
import { refKey } from '../object.js';
import type { Release } from '../plan.js';
import { findDrift } from './drift.js';
import { hasKeys, itemKeys, type OwnedTree } from './owned-tree.js';
import { entriesOf, FIELD_MANAGERS } from './ownership.js';
import { applied } from './release-drift.js';

/** What applying a release does to one object; both sides may be the same. Secrets with their values: hide them before showing. Plain data. */
export interface ObjectChange {
  readonly cluster: string;
  readonly resource: ObjectRef;
  /** The fields that are ours or will be, as the cluster has them; absent: it is created. */
  readonly before?: KubeObject;
  /** Absent: it is deleted. */
  readonly after?: KubeObject;
}

interface ChangesContext {
  readonly setId: string;
  readonly isAutoscaled: (object: KubeObject) => boolean;
  /** Of the user. */
  readonly interpreters?: readonly Interpreter[];
}

/**
 * What applying a release will change on its cluster, judged by what is there: fields that get another value, fields that
 * are ours and go because the release lacks them, objects that are created, and those that are deleted. Sorted by resource key.
 *
 * `live`: what the release names, as far as it exists, by resource key. Shared objects are only missing or there.
 */
export function changesOf(
  release: Release,
  live: ReadonlyMap<string, KubeObject>,
  { setId, isAutoscaled, interpreters = [] }: ChangesContext,
): readonly ObjectChange[] {
  const { cluster } = release;
  const held = release.manifests.flatMap((manifest): readonly ObjectChange[] => {
    const { resource, object } = manifest;
    const there = live.get(refKey(resource));
    if (there === undefined) return [{ cluster, resource, after: object }];
    if (manifest.shared || manifest.action === 'none') return [];
    const facts = { mode: 'settle', setId, isAutoscaled: isAutoscaled(object) } as const;
    const after = applied(manifest, there, { ...facts, interpreters });
    return [{ cluster, resource, before: ownPart(there, after), after }];
  });
  const gone = release.deletions.flatMap(({ resource }): readonly ObjectChange[] => {
    const there = live.get(refKey(resource));
    return there === undefined ? [] : [{ cluster, resource, before: ownPart(there) }];
  });
  return sorted(
    [...held, ...gone],
    compareBy(({ resource }) => refKey(resource)),
  );
}

/** What of a live object is ours, or is in what will be applied; its order and its notation of what is equal. */
function ownPart(live: KubeObject, applied?: KubeObject): KubeObject {
  const trees = entriesOf(live)
    .filter(
      ({ manager, subresource }) =>
        manager === FIELD_MANAGERS.own && (subresource === undefined || subresource === ''),
    )
    .map(({ fieldsV1 }): OwnedTree => fieldsV1 ?? {});
  const { apiVersion, kind } = live;
  const { name, namespace } = live.metadata;
  const part = fieldsOf(partOf(live, trees, applied));
  const metadata = {
    ...fieldsOf(part['metadata']),
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
  };
  return { ...part, apiVersion, kind, metadata };
}

function partOf(live: unknown, trees: readonly OwnedTree[], applied: unknown): unknown {
  // Equal up to notation (`0.5` and `500m`): the one that was written.
  if (applied !== undefined && !isFields(applied) && isEqual(applied, live)) return applied;
  // Owned as a whole: a value, or an atomic map or list.
  if (trees.some((tree) => Object.keys(tree).length === 0)) return live;
  if (isFields(live)) return membersOf(live, trees, applied);
  return Array.isArray(live) ? itemsOf(live, trees, applied) : live;
}

function membersOf(live: Fields, trees: readonly OwnedTree[], applied: unknown): Fields {
  const desired = fieldsOf(applied);
  const owned = trees.flatMap((tree) =>
    Object.keys(tree).flatMap((key) => (key.startsWith('f:') ? [key.slice(2)] : [])),
  );
  const names = [...new Set([...Object.keys(desired), ...owned])].filter(
    (name) => live[name] !== undefined,
  );
  return Object.fromEntries(
    names.map((name) => [name, partOf(live[name], below(trees, `f:${name}`), desired[name])]),
  );
}

/** Items that are told apart by keys: those we own or name. Other lists are one value. */
function itemsOf(live: readonly unknown[], trees: readonly OwnedTree[], applied: unknown): unknown {
  const keys = [...new Set(trees.flatMap((tree) => Object.keys(tree)))].filter((key) =>
    key.startsWith('k:'),
  );
  if (keys.length === 0) return live;
  const desired = Array.isArray(applied) ? (applied as readonly unknown[]) : [];
  const keyNames = Object.keys(itemKeys(keys[0] ?? 'k:{}'));
  const isSame = (a: unknown, b: unknown): boolean =>
    isFields(a) && isFields(b) && keyNames.every((name) => a[name] === b[name]);
  const part = (item: unknown): unknown => {
    const key = keys.filter((one) => hasKeys(item, itemKeys(one)));
    return partOf(
      item,
      key.flatMap((one) => below(trees, one)),
      desired.find((one) => isSame(one, item)),
    );
  };
  // In the order of what is applied, so that only differences are differences.
  const named = desired.flatMap((one) => live.filter((item) => isSame(one, item)));
  const owned = live.filter(
    (item) => !named.includes(item) && keys.some((key) => hasKeys(item, itemKeys(key))),
  );
  return [...named, ...owned].map(part);
}

function below(trees: readonly OwnedTree[], key: string): readonly OwnedTree[] {
  return trees.flatMap((tree) => (isFields(tree[key]) ? [tree[key]] : []));
}

function isEqual(a: unknown, b: unknown): boolean {
  const object = (value: unknown): KubeObject => ({
    apiVersion: '',
    kind: '',
    metadata: {},
    value,
  });
  return findDrift(object(a), object(b)).length === 0;
}
