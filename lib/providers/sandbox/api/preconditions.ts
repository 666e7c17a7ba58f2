import { objectAt, type JsonObject } from '../merge/json.js';
import type { Kind } from '../schema/kinds.js';
import type { World } from '../world.js';
import { identityOf } from './identity.js';
import { conflict, forbidden, invalid, notFound } from './status.js';

/** Refuses what is to live in a namespace that is not there, or is going. */
export function requireNamespace(
  world: World,
  kind: Kind,
  namespace: string | undefined,
  name: string,
): void {
  if (!kind.namespaced || namespace === undefined) return;
  const namespaces = world.kinds.byResource('', 'v1', 'namespaces');
  const found =
    namespaces === undefined ? undefined : world.store.get(namespaces, undefined, namespace);
  if (namespaces !== undefined && found === undefined) throw notFound(namespaces, namespace);
  if (objectAt(found, 'metadata')['deletionTimestamp'] === undefined) return;
  throw forbidden(
    kind,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}

/** Refuses a write that was made for another object of that name, or for an older state of it. */
export function checkPreconditions(kind: Kind, live: JsonObject, body: JsonObject): void {
  const { name } = identityOf(live);
  const have = objectAt(live, 'metadata');
  const want = objectAt(body, 'metadata');
  if (typeof want['uid'] === 'string' && want['uid'] !== '' && want['uid'] !== have['uid']) {
    throw conflict(
      kind,
      name,
      `Precondition failed: UID in precondition: ${want['uid']}, UID in object meta: ${String(have['uid'])}`,
    );
  }
  const version = want['resourceVersion'];
  if (typeof version === 'string' && version !== '' && version !== have['resourceVersion']) {
    throw conflict(
      kind,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
}

/** Apply takes a foreign uid for an attempt to change it. */
export function checkApplyPreconditions(kind: Kind, live: JsonObject, body: JsonObject): void {
  const { uid } = objectAt(body, 'metadata');
  if (typeof uid === 'string' && uid !== objectAt(live, 'metadata')['uid']) {
    const message = `Invalid value: "${uid}": field is immutable`;
    throw invalid(kind, identityOf(live).name, [
      { reason: 'FieldValueInvalid', field: 'metadata.uid', message },
    ]);
  }
  checkPreconditions(kind, live, body);
}
