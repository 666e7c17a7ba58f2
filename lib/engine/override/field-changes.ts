import { pointerToken } from './json-patch.js';
import { isFields } from '../interpret/field.js';

/** One field that differs between two objects. */
export interface FieldChange {
  /** JSON pointer. */
  readonly path: string;
  /** Absent: the field was not there. */
  readonly before?: unknown;
  /** Absent: the field is gone. */
  readonly after?: unknown;
}

/**
 * The fields in which two documents differ, in the order of the documents' own fields: leaves of maps and of lists of
 * equal length, lists of another length as a whole. What the documents share by reference costs nothing.
 */
export function fieldChanges(before: unknown, after: unknown, path = ''): readonly FieldChange[] {
  if (before === after) return [];
  if (isFields(before) && isFields(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      fieldChanges(valueOf(before, key), valueOf(after, key), `${path}/${pointerToken(key)}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item: unknown, i) => fieldChanges(item, after[i], `${path}/${i}`));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

function valueOf(map: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
