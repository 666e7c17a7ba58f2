import { ApiFailure } from '../api/status.js';
import { createObject, isReleased, replaceObject } from '../api/writes.js';
import { deleteObject } from '../api/deletes.js';
import { equalJson, isObject, listAt, objectAt, type JsonObject } from '../merge/json.js';
import { storageKey, type Kind } from '../schema/kinds.js';
import type { StoreEvent } from '../store/store.js';
import type { World } from '../world.js';

/** Which object a controller has to look at again. */
export interface Key {
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Drives objects of one kind towards what they ask for; level-triggered, so it may be called at any time. */
export interface Controller {
  readonly name: string;
  /** The keys an event concerns. */
  concerns(event: StoreEvent, reach: Reach): readonly Key[];
  /** @returns milliseconds after which to look again, if time alone changes something. */
  reconcile(key: Key, reach: Reach): number | undefined | void;
}

/** How a controller reads and writes its cluster. */
export interface Reach {
  readonly world: World;
  kind(apiVersion: string, kind: string): Kind;
  get(kind: Kind, key: Key): JsonObject | undefined;
  create(kind: Kind, object: JsonObject): JsonObject;
  update(kind: Kind, live: JsonObject, next: JsonObject): JsonObject;
  /** Write a status; nothing happens when it is what is there. */
  setStatus(kind: Kind, live: JsonObject, status: JsonObject, annotations?: JsonObject): JsonObject;
  delete(kind: Kind, object: JsonObject): void;
  /** Store an object from which a finalizer was taken; it goes if it was the last. */
  release(kind: Kind, object: JsonObject): void;
}

/** The time between an event and a controller's reaction: long enough that a reader can see the state before it. */
const REACTION_MS = 15;
const RETRY_MS = 50;

/** Run controllers on a cluster until the result is called. Work for one object never runs twice at once. */
export function runControllers(world: World, controllers: readonly Controller[]): () => void {
  const pending = new Map<string, () => void>();
  let stopped = false;
  const enqueue = (controller: Controller, reach: Reach, key: Key, delay: number): void => {
    const id = `${controller.name}|${key.namespace ?? ''}/${key.name}`;
    // Of two reasons to look, the earlier wins; a later wake-up is asked for again by that run.
    if (delay > REACTION_MS && pending.has(id)) return;
    pending.get(id)?.();
    pending.set(
      id,
      world.time.after(delay, () => {
        pending.delete(id);
        if (!stopped) run(controller, reach, key);
      }),
    );
  };
  const run = (controller: Controller, reach: Reach, key: Key): void => {
    try {
      const again = controller.reconcile(key, reach);
      if (typeof again === 'number')
        enqueue(controller, reach, key, Math.max(again, REACTION_MS + 1));
    } catch (error) {
      // A refusal (a namespace that goes away, an invalid template) is retried, as a real controller does.
      if (!(error instanceof ApiFailure)) throw error;
      if (error.code !== 404 && error.code !== 403) enqueue(controller, reach, key, RETRY_MS * 20);
    }
  };
  const reaches = controllers.map(
    (controller) => [controller, reachOf(world, controller.name)] as const,
  );
  const dispatch = (event: StoreEvent): void => {
    for (const [controller, reach] of reaches) {
      for (const key of controller.concerns(event, reach))
        enqueue(controller, reach, key, REACTION_MS);
    }
  };
  const unsubscribe = world.store.subscribe(dispatch);
  // What was there before (a saved state) is looked at once.
  for (const [storage, object] of world.store.all())
    dispatch({ type: 'ADDED', storage, object, revision: world.store.revision });
  return () => {
    stopped = true;
    unsubscribe();
    for (const cancel of pending.values()) cancel();
    pending.clear();
  };
}

/** Field managers of controllers that are not part of the controller manager. */
const MANAGERS = new Map([
  ['kubelet', 'kubelet'],
  ['cloud-controller-manager/Service', 'cloud-controller-manager'],
  ['cloud-controller-manager/Ingress', 'ingress-controller'],
]);

function reachOf(world: World, name: string): Reach {
  const manager = MANAGERS.get(name) ?? 'kube-controller-manager';
  return {
    world,
    kind: (apiVersion, kind) => {
      const found = world.kinds.byKind(apiVersion, kind);
      if (found === undefined) throw new Error(`sandbox: ${apiVersion} ${kind} is not served`);
      return found;
    },
    get: (kind, key) => world.store.get(kind, key.namespace, key.name),
    create: (kind, object) => createObject(world, kind, object, { manager }),
    update: (kind, live, next) => replaceObject(world, kind, live, next, { manager }),
    setStatus: (kind, live, status, annotations) => {
      if (equalJson(objectAt(live, 'status'), status) && annotations === undefined) return live;
      const metadata = objectAt(live, 'metadata');
      const next = {
        ...live,
        metadata: annotations === undefined ? metadata : { ...metadata, annotations },
        status,
      };
      return replaceObject(world, kind, live, next, { manager, subresource: 'status' });
    },
    delete: (kind, object) => {
      deleteObject(world, kind, object, {});
    },
    release: (kind, object) => {
      if (isReleased(object)) world.store.remove(kind, object);
      else world.store.put(kind, object);
    },
  };
}

/** The key of the event's object if it is of this kind. */
export function ownKey(event: StoreEvent, group: string, resource: string): readonly Key[] {
  return event.storage === storageKey({ group, resource }) ? [keyOf(event.object)] : [];
}

/** The key of the object's controlling owner if the event is about `resource` and the owner of `ownerKind`. */
export function ownerKey(
  event: StoreEvent,
  group: string,
  resource: string,
  ownerKind: string,
): readonly Key[] {
  if (event.storage !== storageKey({ group, resource })) return [];
  const owner = controllerOf(event.object);
  return owner?.['kind'] === ownerKind
    ? [{ namespace: keyOf(event.object).namespace, name: String(owner['name']) }]
    : [];
}

export function keyOf(object: JsonObject): Key {
  const { namespace, name } = objectAt(object, 'metadata');
  return { namespace: typeof namespace === 'string' ? namespace : undefined, name: String(name) };
}

export function controllerOf(object: JsonObject): JsonObject | undefined {
  return listAt(object, 'metadata', 'ownerReferences')
    .filter(isObject)
    .find((owner) => owner['controller'] === true);
}

/** The objects of a kind that an owner controls and that are not being deleted, by name. */
export function ownedBy(owner: JsonObject, kind: Kind, reach: Reach): JsonObject[] {
  const { uid } = objectAt(owner, 'metadata');
  return reach.world.store
    .dependents(String(uid))
    .filter(
      (object) =>
        object['kind'] === kind.kind && controllerOf(object)?.['uid'] === uid && !isDeleted(object),
    );
}

export function ownerReference(owner: JsonObject): JsonObject {
  const { name, uid } = objectAt(owner, 'metadata');
  return {
    apiVersion: owner['apiVersion'],
    kind: owner['kind'],
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

export function isDeleted(object: JsonObject): boolean {
  return objectAt(object, 'metadata')['deletionTimestamp'] !== undefined;
}

export function generationOf(object: JsonObject): number {
  return Number(objectAt(object, 'metadata')['generation'] ?? 0);
}
