import type { Schema } from '../schema/schema.js';
import {
  difference,
  EMPTY,
  fieldSet,
  intersection,
  isEmpty,
  pathsOf,
  union,
  type FieldSet,
} from './field-set.js';
import { equalJson, isObject, type JsonObject } from './json.js';
import {
  managersOf,
  ownable,
  sameManager,
  toManagedFields,
  type ManagedEntry,
  type ManagerId,
} from './managed-fields.js';
import { changesBetween, fieldsOf, mergeTyped, removeItems, withNamedFields } from './typed.js';

export interface FieldConflict {
  readonly entry: ManagedEntry;
  readonly path: readonly string[];
}

export type ApplyOutcome =
  | { readonly ok: true; readonly object: JsonObject }
  | { readonly ok: false; readonly conflicts: readonly FieldConflict[] };

export interface ApplyRequest {
  readonly live: JsonObject | undefined;
  readonly applied: JsonObject;
  readonly schema: Schema;
  readonly manager: ManagerId;
  readonly force: boolean;
  /** RFC 3339, whole seconds. */
  readonly now: string;
  /** The part of the object that this request may own: all but `status` on the main resource, only it on `status`. */
  readonly scope: Scope;
}

/** Cuts a set down to what a request may write. */
export type Scope = (fields: FieldSet) => FieldSet;

export const WHOLE: Scope = (fields) => fields;
export const BUT_STATUS: Scope = (fields) => only(fields, (element) => element !== 'f:status');
export const ONLY_STATUS: Scope = (fields) => only(fields, (element) => element === 'f:status');
/** Status of built-in kinds: controllers write annotations with it. */
export const BUT_SPEC: Scope = (fields) => only(fields, (element) => element !== 'f:spec');

function only(fields: FieldSet, wanted: (element: string) => boolean): FieldSet {
  return fieldSet(
    false,
    [...fields.children].filter(([element]) => wanted(element)),
  );
}

/**
 * Server-side apply: lay what one manager wants over the live object.
 *
 * 1. Merge the applied configuration into the live object.
 * 2. Remove what the manager applied before, applies no longer, and nobody else owns.
 * 3. A changed field that another manager owns is a conflict; `force` takes it from them.
 *
 * The algorithm is that of Kubernetes' structured-merge-diff (KEP-555); the differential test holds it to a real server.
 */
export function applyTo(request: ApplyRequest): ApplyOutcome {
  const { schema, manager, applied } = request;
  const live = request.live ?? {};
  const entries = managersOf(live);
  const previous = entries.find((entry) => sameManager(entry, manager));
  const others = entries.filter((entry) => entry !== previous);
  // With the name and namespace, which keep `metadata` from being pruned; they are not stored as owned.
  const wanted = request.scope(fieldsOf(applied, schema));
  const own = ownable(wanted);

  const merged = mergeTyped(withoutManagedFields(live), applied, schema) as JsonObject;
  const owned = others.reduce((all, entry) => union(all, entry.fields), wanted);
  const object = prune(merged, previous?.fields ?? EMPTY, owned, schema);

  const changes = changesBetween(withoutManagedFields(live), object, schema);
  const written = request.scope(union(changes.added, changes.modified));
  const removed = request.scope(changes.removed);
  const conflicts = others.flatMap((entry) =>
    pathsOf(intersection(entry.fields, written)).map((path) => ({ entry, path })),
  );
  if (conflicts.length > 0 && !request.force) return { ok: false, conflicts };

  const lost = union(written, removed);
  const kept = others.map((entry) => ({ ...entry, fields: difference(entry.fields, lost) }));
  const unchanged = equalJson(object, withoutManagedFields(live));
  const time = unchanged ? previous?.time : request.now;
  const mine: ManagedEntry = { ...manager, fields: own, ...(time !== undefined && { time }) };
  return { ok: true, object: withManagedFields(object, [...kept, mine]) };
}

/** Any other write: the writer owns what it changed, whoever owned it before. */
export function recordUpdate(
  live: JsonObject | undefined,
  next: JsonObject,
  schema: Schema,
  manager: ManagerId,
  now: string,
  scope: Scope,
): JsonObject {
  const entries = managersOf(live ?? {});
  // An object that nobody's fields are recorded of stays so until somebody applies it.
  if (live !== undefined && entries.length === 0) return withoutManagedFields(next);
  const before = withoutManagedFields(live ?? {});
  const after = withoutManagedFields(next);
  const changes = changesBetween(before, after, schema);
  const written = scope(union(changes.added, changes.modified));
  const removed = scope(changes.removed);
  const own = entries.find((entry) => sameManager(entry, manager));
  const fields = ownable(union(difference(own?.fields ?? EMPTY, removed), written));
  const lost = union(written, removed);
  const kept = entries
    .filter((entry) => entry !== own)
    .map((entry) => ({ ...entry, fields: difference(entry.fields, lost) }));
  const changed = !isEmpty(lost);
  const time = changed ? now : (own?.time ?? now);
  return withManagedFields(after, [...kept, { ...manager, fields, time }]);
}

/** Step 2: an item goes if this manager had it, nobody has it now, and it is not merely a parent of what stays. */
function prune(
  merged: JsonObject,
  previous: FieldSet,
  owned: FieldSet,
  schema: Schema,
): JsonObject {
  if (isEmpty(previous)) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(set, schema);
  const cut = (set: FieldSet): JsonObject => (removeItems(merged, set, schema) ?? {}) as JsonObject;
  const all = named(fieldsOf(merged, schema));
  const gone = (left: JsonObject): FieldSet => difference(all, named(fieldsOf(left, schema)));
  const rough = cut(named(previous));
  const withOwned = cut(difference(gone(rough), named(owned)));
  return cut(intersection(gone(withOwned), named(previous)));
}

function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  if (!isObject(metadata) || !('managedFields' in metadata)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function withManagedFields(object: JsonObject, entries: readonly ManagedEntry[]): JsonObject {
  const managedFields = toManagedFields(entries);
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return {
    ...object,
    metadata: { ...metadata, ...(managedFields.length > 0 && { managedFields }) },
  };
}
