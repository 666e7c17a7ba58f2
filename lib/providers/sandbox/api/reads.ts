import { objectAt, type JsonObject } from '../merge/json.js';
import type { Kind } from '../schema/kinds.js';
import type { World } from '../world.js';
import { fieldSelector, labelSelector } from './selector.js';
import { badRequest, gone } from './status.js';

/** The object in the version it was asked for: versions of a CRD share one storage. */
export function inVersion(kind: Kind, object: JsonObject): JsonObject {
  return object['apiVersion'] === kind.apiVersion
    ? object
    : { ...object, apiVersion: kind.apiVersion, kind: kind.kind };
}

/**
 * LIST: a `…List` document, sorted by namespace and name. With `limit` it comes in pages; the continue token is opaque
 * and names the last object, and the list stays consistent enough for its readers because objects are never renamed.
 */
export function listObjects(
  world: World,
  kind: Kind,
  namespace: string | undefined,
  query: URLSearchParams,
): JsonObject {
  const matches = [
    labelSelector(query.get('labelSelector')),
    fieldSelector(query.get('fieldSelector')),
  ];
  const all = world.store
    .list(kind, namespace)
    .filter((object) => matches.every((match) => match(object)));
  const limit = Number(query.get('limit') ?? 0);
  const start = parseContinue(world, query.get('continue'));
  const from = start === undefined ? 0 : all.findIndex((object) => sortKey(object) > start.after);
  const rest = from < 0 ? [] : all.slice(from);
  const page = limit > 0 ? rest.slice(0, limit) : rest;
  const revision = String(start?.revision ?? world.store.revision);
  const last = page.at(-1);
  const more = rest.length - page.length;
  return {
    kind: `${kind.kind}List`,
    apiVersion: kind.apiVersion,
    metadata: {
      resourceVersion: revision,
      ...(more > 0 &&
        last !== undefined && {
          continue: toContinue(revision, sortKey(last)),
          remainingItemCount: more,
        }),
    },
    items: page.map((object) => inVersion(kind, object)),
  };
}

function sortKey(object: JsonObject): string {
  const { namespace, name } = objectAt(object, 'metadata');
  return `${String(namespace ?? '')}/${String(name)}`;
}

function toContinue(revision: string, after: string): string {
  return Buffer.from(JSON.stringify([revision, after])).toString('base64url');
}

function parseContinue(
  world: World,
  token: string | null,
): { revision: number; after: string } | undefined {
  if (token === null || token === '') return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    throw badRequest('continue key is not valid');
  }
  if (!Array.isArray(parsed) || typeof parsed[1] !== 'string')
    throw badRequest('continue key is not valid');
  const revision = Number(parsed[0]);
  if (revision < world.store.oldest) {
    throw gone(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
    );
  }
  return { revision, after: parsed[1] };
}
