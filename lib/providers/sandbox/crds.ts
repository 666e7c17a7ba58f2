import { isObject, listAt, objectAt, type JsonObject } from './merge/json.js';
import { kindsOf } from './schema/registry.js';
import type { World } from './world.js';
import { withCondition } from './controllers/conditions.js';
import { replaceObject } from './api/writes.js';
import { deleteObject } from './api/deletes.js';

const STORAGE = 'apiextensions.k8s.io/customresourcedefinitions';
const ESTABLISH_MS = 20;

/** Serve the kinds of CRDs: established shortly after they are created, withdrawn when they go, with their objects. */
export function serveCrds(world: World): () => void {
  return world.store.subscribe((event) => {
    if (event.storage !== STORAGE) return;
    if (event.type === 'DELETED') {
      const [first] = kindsOf(event.object);
      world.kinds.withdraw(event.object);
      for (const object of first === undefined ? [] : world.store.list(first))
        if (first !== undefined) deleteObject(world, first, object, {});
      return;
    }
    if (isEstablished(event.object)) world.kinds.serve(event.object);
    else
      world.time.after(ESTABLISH_MS, () =>
        establish(world, String(objectAt(event.object, 'metadata')['name'])),
      );
  });
}

export function isEstablished(crd: JsonObject): boolean {
  return listAt(crd, 'status', 'conditions')
    .filter(isObject)
    .some((each) => each['type'] === 'Established' && each['status'] === 'True');
}

function establish(world: World, name: string): void {
  const kind = world.kinds.byKind('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
  const crd = kind === undefined ? undefined : world.store.get(kind, undefined, name);
  if (kind === undefined || crd === undefined || isEstablished(crd)) return;
  const spec = objectAt(crd, 'spec');
  const stored = listAt(spec, 'versions')
    .filter(isObject)
    .filter((version) => version['storage'] === true);
  let status: JsonObject = {
    ...objectAt(crd, 'status'),
    acceptedNames: spec['names'],
    storedVersions: stored.map((version) => version['name']),
  };
  status = withCondition(world, status, {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  });
  status = withCondition(world, status, {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  });
  replaceObject(
    world,
    kind,
    crd,
    { ...crd, status },
    { manager: 'kube-apiserver', subresource: 'status' },
  );
}
