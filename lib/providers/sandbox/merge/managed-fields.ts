import {
  difference,
  fromFieldsV1,
  isEmpty,
  pathSet,
  toFieldsV1,
  union,
  type FieldSet,
} from './field-set.js';
import { equalJson, isObject, listAt, objectAt } from './json.js';

/** Who wrote, how, and where: two entries with the same identity are one manager. */
export interface ManagerId {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** `status`, `scale` or empty. */
  readonly subresource: string;
}

export interface ManagedEntry extends ManagerId {
  readonly fields: FieldSet;
  readonly time?: string;
}

/** Metadata that belongs to the server and is never owned by a manager. */
const SERVER_FIELDS = [
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
]
  .map(pathSet)
  .reduce(union);

/** Managers beyond this many by Update are merged, oldest first, into one entry: objects must not grow without bound. */
const MAX_UPDATE_MANAGERS = 10;

export function managersOf(object: unknown): ManagedEntry[] {
  return listAt(object, 'metadata', 'managedFields')
    .filter(isObject)
    .map((entry) => ({
      manager: String(entry['manager'] ?? ''),
      operation: entry['operation'] === 'Apply' ? 'Apply' : 'Update',
      apiVersion: String(entry['apiVersion'] ?? ''),
      subresource: String(entry['subresource'] ?? ''),
      fields: fromFieldsV1(entry['fieldsV1']),
      ...(typeof entry['time'] === 'string' && { time: entry['time'] }),
    }));
}

/** The entries as `metadata.managedFields`: Apply before Update, then by time, then by name. */
export function toManagedFields(entries: readonly ManagedEntry[]): Record<string, unknown>[] {
  return capped(entries)
    .map((entry) => ({ ...entry, fields: difference(entry.fields, SERVER_FIELDS) }))
    .filter((entry) => !isEmpty(entry.fields))
    .sort(byOperationTimeName)
    .map((entry) => ({
      manager: entry.manager,
      operation: entry.operation,
      apiVersion: entry.apiVersion,
      ...(entry.time !== undefined && { time: entry.time }),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(entry.fields),
      ...(entry.subresource !== '' && { subresource: entry.subresource }),
    }));
}

/** Fields the server owns, removed from what a manager claims. */
export function ownable(fields: FieldSet): FieldSet {
  return difference(fields, SERVER_FIELDS);
}

export function sameManager(a: ManagerId, b: ManagerId): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    a.subresource === b.subresource &&
    a.apiVersion === b.apiVersion
  );
}

/** `kubectl` or `kubectl using apps/v1 with subresource "scale"`, as conflict messages name a manager. */
export function describeManager(entry: ManagedEntry): string {
  const version = entry.operation === 'Update' ? ` using ${entry.apiVersion}` : '';
  const subresource = entry.subresource === '' ? '' : ` with subresource "${entry.subresource}"`;
  return `"${entry.manager}"${subresource}${version}`;
}

/** Whether two versions of an object differ in nothing but the times of managers. */
export function equalButTimes(a: unknown, b: unknown): boolean {
  return equalJson(withoutTimes(a), withoutTimes(b));
}

function withoutTimes(object: unknown): unknown {
  if (!isObject(object)) return object;
  const managedFields = listAt(object, 'metadata', 'managedFields').map((entry) => ({
    ...(entry as object),
    time: undefined,
  }));
  return {
    ...object,
    metadata: { ...objectAt(object, 'metadata'), managedFields, resourceVersion: undefined },
  };
}

function capped(entries: readonly ManagedEntry[]): readonly ManagedEntry[] {
  const updates = entries
    .filter((entry) => entry.operation === 'Update' && entry.subresource === '')
    .sort(byOperationTimeName);
  const surplus = updates.slice(0, Math.max(0, updates.length - MAX_UPDATE_MANAGERS + 1));
  const [first] = surplus;
  if (surplus.length < 2 || first === undefined) return entries;
  const merged = surplus.reduce(
    (all, entry) => ({
      ...first,
      manager: 'ancient-changes',
      fields: union(all.fields, entry.fields),
    }),
    first,
  );
  return [...entries.filter((entry) => !surplus.includes(entry)), merged];
}

function byOperationTimeName(a: ManagedEntry, b: ManagedEntry): number {
  const key = (entry: ManagedEntry): string =>
    [entry.operation, entry.time ?? '', entry.manager, entry.apiVersion, entry.subresource].join(
      '\u0000',
    );
  const [x, y] = [key(a), key(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}
