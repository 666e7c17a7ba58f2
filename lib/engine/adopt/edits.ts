import type { PlaintextOverrider } from '../../api/overriders.js';
import { equalData } from '../canonical.js';
import { type Fields, isFields } from '../interpret/field.js';
import { pointerToken } from '../override/json-patch.js';

/**
 * The edits that turn one value into another, as few as single fields allow; empty when they are equal.
 *
 * Maps are compared member by member, lists of equal length item by item; any other difference replaces the value. Paths
 * are JSON pointers below `path`, sorted by member name, and none lies below another: their order does not matter.
 */
export function editsBetween(from: unknown, to: unknown, path = ''): readonly PlaintextOverrider[] {
  if (equalData(from, to)) return [];
  if (isFields(from) && isFields(to)) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
    return names.flatMap((name) => editsOfMember(from, to, name, path));
  }
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length)
    return from.flatMap((item, index) => editsBetween(item, to[index], `${path}/${index}`));
  return [{ operator: 'replace', path, value: to }];
}

function editsOfMember(
  from: Fields,
  to: Fields,
  name: string,
  path: string,
): readonly PlaintextOverrider[] {
  const here = `${path}/${pointerToken(name)}`;
  if (!Object.hasOwn(to, name)) return [{ operator: 'remove', path: here }];
  if (!Object.hasOwn(from, name)) return [{ operator: 'add', path: here, value: to[name] }];
  return editsBetween(from[name], to[name], here);
}
