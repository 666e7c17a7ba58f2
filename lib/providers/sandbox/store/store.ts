import { isObject, listAt, objectAt, type JsonObject } from '../merge/json.js';
import { storageKey, type Kind } from '../schema/kinds.js';

/** One change, in the order of its revision. `object` of a DELETED event carries the revision of the deletion. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly storage: string;
  readonly object: JsonObject;
  readonly previous?: JsonObject;
  readonly revision: number;
}

/** How many events a watcher may lag behind before it has to list again. */
const LOG_LENGTH = 4096;

/**
 * The objects of one cluster and the log of their changes: what etcd is to a real one.
 *
 * Objects are values: a write replaces the object, readers keep what they got. Revisions are per cluster and grow by
 * one with every change.
 */
export class Store {
  private readonly storages = new Map<string, Map<string, JsonObject>>();
  /** Storage and key by uid, and the uids of what an owner's uid is named in. */
  private readonly places = new Map<string, readonly [storage: string, key: string]>();
  private readonly owned = new Map<string, Set<string>>();
  private readonly listeners = new Set<(event: StoreEvent) => void>();
  private log: StoreEvent[] = [];
  private last = 1;
  private compacted = 0;

  get revision(): number {
    return this.last;
  }

  /** The oldest revision a watch can start from. */
  get oldest(): number {
    return this.compacted;
  }

  get(kind: Kind, namespace: string | undefined, name: string): JsonObject | undefined {
    return this.storages.get(storageKey(kind))?.get(objectKey(namespace, name));
  }

  /** All objects of a kind, or of one namespace of it, by namespace and name. */
  list(
    kind: { readonly group: string; readonly resource: string },
    namespace?: string,
  ): JsonObject[] {
    const all = this.storages.get(storageKey(kind));
    if (all === undefined) return [];
    const keys = [...all.keys()].filter(
      (key) => namespace === undefined || key.startsWith(`${namespace}/`),
    );
    return keys.sort().map((key) => all.get(key) ?? {});
  }

  byUid(uid: string): JsonObject | undefined {
    const place = this.places.get(uid);
    return place === undefined ? undefined : this.storages.get(place[0])?.get(place[1]);
  }

  /** Objects that name this uid among their owners, by namespace and name. */
  dependents(uid: string): JsonObject[] {
    const objects = [...(this.owned.get(uid) ?? [])].map((each) => this.byUid(each) ?? {});
    return objects.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /** Everything there is: storage name and object. */
  *all(): Generator<readonly [string, JsonObject]> {
    for (const [storage, objects] of this.storages)
      for (const object of objects.values()) yield [storage, object];
  }

  /** Write an object; it comes back with its new resourceVersion. */
  put(kind: Kind, object: JsonObject): JsonObject {
    const storage = storageKey(kind);
    const objects = this.storages.get(storage) ?? new Map<string, JsonObject>();
    this.storages.set(storage, objects);
    const key = keyOf(object);
    const previous = objects.get(key);
    const stored = this.stamp(object);
    objects.set(key, stored);
    if (previous !== undefined) this.forget(previous);
    this.index(storage, stored);
    this.emit({
      type: previous === undefined ? 'ADDED' : 'MODIFIED',
      storage,
      object: stored,
      ...(previous !== undefined && { previous }),
      revision: this.last,
    });
    return stored;
  }

  remove(kind: Kind, object: JsonObject): JsonObject {
    const storage = storageKey(kind);
    const previous = this.storages.get(storage)?.get(keyOf(object));
    if (previous === undefined) return object;
    this.storages.get(storage)?.delete(keyOf(object));
    this.forget(previous);
    const gone = this.stamp(previous);
    this.emit({ type: 'DELETED', storage, object: gone, previous, revision: this.last });
    return gone;
  }

  /** Events after a revision, or `undefined` when the log no longer reaches back that far. */
  since(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.compacted) return undefined;
    return this.log.filter((event) => event.revision > revision);
  }

  /** Forget the log, as a compaction of etcd does: watches from earlier revisions get 410. */
  compact(): void {
    this.compacted = this.last;
    this.log = [];
  }

  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** For saving: revision and objects by storage. */
  dump(): { revision: number; objects: Record<string, JsonObject[]> } {
    const objects = [...this.storages].map(([storage, all]): [string, JsonObject[]] => [
      storage,
      [...all.values()],
    ]);
    return {
      revision: this.last,
      objects: Object.fromEntries(objects.filter(([, all]) => all.length > 0)),
    };
  }

  /** Replace everything by what {@link dump} gave. Tells no listener. */
  load(saved: {
    readonly revision: number;
    readonly objects: Readonly<Record<string, readonly JsonObject[]>>;
  }): void {
    this.storages.clear();
    this.places.clear();
    this.owned.clear();
    for (const [storage, objects] of Object.entries(saved.objects)) {
      this.storages.set(storage, new Map(objects.map((object) => [keyOf(object), object])));
      for (const object of objects) this.index(storage, object);
    }
    this.last = saved.revision;
    this.compact();
  }

  private index(storage: string, object: JsonObject): void {
    const uid = String(objectAt(object, 'metadata')['uid']);
    this.places.set(uid, [storage, keyOf(object)]);
    for (const owner of ownersOf(object)) {
      const dependents = this.owned.get(owner) ?? new Set();
      this.owned.set(owner, dependents.add(uid));
    }
  }

  private forget(object: JsonObject): void {
    const uid = String(objectAt(object, 'metadata')['uid']);
    this.places.delete(uid);
    for (const owner of ownersOf(object)) {
      const dependents = this.owned.get(owner);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.owned.delete(owner);
    }
  }

  private stamp(object: JsonObject): JsonObject {
    this.last += 1;
    const metadata = isObject(object['metadata']) ? object['metadata'] : {};
    return { ...object, metadata: { ...metadata, resourceVersion: String(this.last) } };
  }

  private emit(event: StoreEvent): void {
    this.log.push(event);
    if (this.log.length > LOG_LENGTH) {
      this.compacted = this.log[LOG_LENGTH / 2 - 1]?.revision ?? this.compacted;
      this.log = this.log.slice(LOG_LENGTH / 2);
    }
    for (const listener of [...this.listeners]) listener(event);
  }
}

function ownersOf(object: JsonObject): string[] {
  return listAt(object, 'metadata', 'ownerReferences').map((owner) =>
    String(objectAt(owner)['uid']),
  );
}

function keyOf(object: JsonObject): string {
  const { namespace, name } = objectAt(object, 'metadata');
  return objectKey(typeof namespace === 'string' ? namespace : undefined, String(name));
}

function objectKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}
