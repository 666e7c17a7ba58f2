import type { KubeObject } from '../../api/object.js';
import { fieldAt, fieldsOf, isFields } from '../interpret/field.js';
import type { OwnedTree } from './owned-tree.js';
import { itemKeys } from './owned-tree.js';
import { FIELD_MANAGERS, entriesOf } from './ownership.js';

/**
 * Fields at or below a path that our last apply had and `desired` has not: applying it takes them away. As paths for people,
 * in the order of ownership. Format of ownership: `metadata.managedFields[].fieldsV1` of server-side apply.
 */
export function droppedFields(
  desired: KubeObject,
  live: KubeObject,
  path: readonly string[],
): readonly string[] {
  const found: string[] = [];
  for (const { manager, fieldsV1 } of entriesOf(live)) {
    if (manager !== FIELD_MANAGERS.own) continue;
    const tree = path.reduce<unknown>((at, name) => below(at, `f:${name}`), fieldsV1);
    if (!isFields(tree)) continue;
    const here = path.map((name) => `.${name}`).join('');
    const wanted = fieldAt(desired, ...path);
    if (wanted === undefined) found.push(here);
    else collect(tree, wanted, here, found);
  }
  return found;
}

function collect(tree: OwnedTree, desired: unknown, path: string, found: string[]): void {
  for (const [key, owned] of Object.entries(tree)) {
    if (key === '.') continue;
    const value = memberOf(desired, key);
    const here = `${path}${nameOf(key)}`;
    if (value === undefined) found.push(here);
    else if (isFields(owned)) collect(owned, value, here, found);
  }
}

function memberOf(desired: unknown, key: string): unknown {
  const text = key.slice(2);
  if (key.startsWith('f:')) return below(desired, text);
  if (!Array.isArray(desired)) return undefined;
  if (key.startsWith('v:')) return desired.find((item) => JSON.stringify(item) === text);
  const keys = Object.entries(itemKeys(key));
  // Keys that the template leaves to their default (the protocol of a port) match.
  return desired.find((item) =>
    keys.every(([name, value]) => [undefined, value].includes(below(item, name))),
  );
}

function nameOf(key: string): string {
  if (key.startsWith('f:')) return `.${key.slice(2)}`;
  const { name } = key.startsWith('k:') ? itemKeys(key) : {};
  return `[${typeof name === 'string' ? name : key.slice(2)}]`;
}

function below(value: unknown, name: string): unknown {
  return fieldsOf(value)[name];
}
