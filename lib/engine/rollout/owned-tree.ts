import type { Fields } from '../interpret/field.js';
import { isFields } from '../interpret/field.js';

/**
 * Fields that a manager owns, as the API server keeps them in `metadata.managedFields[].fieldsV1`: `f:name` is a member of a
 * map, `k:{…}` the item of a list with these keys, `v:…` the item of a set with this value, `.` the map or item itself.
 */
export type OwnedTree = Fields;

/** The keys of a `k:{…}`. */
export function itemKeys(key: string): Fields {
  return JSON.parse(key.slice(2)) as Fields;
}

/** Whether a `k:{…}` with these keys names the item. */
export function hasKeys(item: unknown, keys: Fields): item is Fields {
  return isFields(item) && Object.entries(keys).every(([name, value]) => item[name] === value);
}
