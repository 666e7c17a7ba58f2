import { objectAt, type JsonObject } from '../merge/json.js';
import type { Kind } from '../schema/kinds.js';
import type { World } from '../world.js';
import { bodyOf, checkedBody, checkStrict, deleteOptions, writeOptions } from './body.js';
import { deleteObject } from './deletes.js';
import { logOf } from './log.js';
import { patched } from './patch.js';
import { inVersion } from './reads.js';
import type { ApiRequest, ResourcePath } from './request.js';
import { json, notAllowed, type ApiResponse } from './response.js';
import { scaleOf, withScale } from './scale.js';
import { ApiFailure, details, notFound } from './status.js';
import {
  applyObject,
  createObject,
  isReleased,
  replaceObject,
  type WriteOptions,
} from './writes.js';

/** Built-in kinds that a PUT creates when they are absent. */
const CREATED_BY_PUT = new Set(
  'Service Endpoints Lease Event LimitRange Role ClusterRole RoleBinding ClusterRoleBinding'.split(
    ' ',
  ),
);

/** Answer a request for one object or one of its subresources. */
export function handleObject(
  world: World,
  kind: Kind,
  path: ResourcePath,
  name: string,
  request: ApiRequest,
): ApiResponse {
  const live = world.store.get(kind, path.namespace, name);
  const isApply =
    request.method === 'PATCH' && request.contentType === 'application/apply-patch+yaml';
  if (isApply) return applied(world, kind, path, request);
  const options = writeOptions(request, path);
  if (live === undefined && request.method === 'PUT' && CREATED_BY_PUT.has(kind.kind)) {
    const [body] = checkedBody(kind, path, request);
    return json(201, createObject(world, kind, body, options));
  }
  if (live === undefined) throw notFound(kind, name);
  if (path.subresource === 'log') {
    if (request.method !== 'GET') throw notAllowed();
    return logOf(live, request);
  }
  switch (request.method) {
    case 'GET':
      if (request.query.get('watch') === 'true') {
        request.query.set('fieldSelector', `metadata.name=${name}`);
        return { kind: 'watch', resource: kind, namespace: path.namespace };
      }
      return json(200, path.subresource === 'scale' ? scaleOf(kind, live) : inVersion(kind, live));
    case 'PUT':
    case 'PATCH':
      return json(200, changed(world, kind, path, live, request, options));
    case 'DELETE': {
      const { object, gone } = deleteObject(world, kind, live, deleteOptions(request));
      if (!gone) return json(200, inVersion(kind, object));
      return json(200, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { ...details(kind, name), uid: objectAt(live, 'metadata')['uid'] },
      });
    }
    default:
      throw notAllowed();
  }
}

function changed(
  world: World,
  kind: Kind,
  path: ResourcePath,
  live: JsonObject,
  request: ApiRequest,
  options: WriteOptions,
): JsonObject {
  if (path.subresource === 'scale') {
    const before = scaleOf(kind, live);
    const after =
      request.method === 'PUT'
        ? bodyOf(request)
        : patched(kind, before, request.body, request.contentType);
    return scaleOf(kind, replaceObject(world, kind, live, withScale(kind, live, after), options));
  }
  if (path.subresource === 'finalize') return finalized(world, kind, live, bodyOf(request));
  const current = inVersion(kind, live);
  const next =
    request.method === 'PUT'
      ? checkedBody(kind, path, request)[0]
      : patched(kind, current, request.body, request.contentType);
  if (request.method === 'PATCH') checkStrict(kind, next, request);
  return inVersion(kind, replaceObject(world, kind, live, next, options));
}

/** The last word on a namespace: without finalizers it goes, whatever is in it. */
function finalized(world: World, kind: Kind, live: JsonObject, body: JsonObject): JsonObject {
  const { finalizers } = objectAt(body, 'spec');
  const { finalizers: _, ...spec } = objectAt(live, 'spec');
  const next = { ...live, spec: finalizers === undefined ? spec : { ...spec, finalizers } };
  return isReleased(next) ? world.store.remove(kind, next) : world.store.put(kind, next);
}

function applied(world: World, kind: Kind, path: ResourcePath, request: ApiRequest): ApiResponse {
  const manager = request.query.get('fieldManager');
  if (manager === null || manager === '') {
    throw new ApiFailure(
      422,
      'Invalid',
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      {
        group: 'meta.k8s.io',
        kind: 'PatchOptions',
        causes: [
          {
            reason: 'FieldValueRequired',
            message: 'Required value: is required for apply patch',
            field: 'fieldManager',
          },
        ],
      },
    );
  }
  const [body] = checkedBody(kind, path, request);
  const force = request.query.get('force') === 'true';
  const { object, created } = applyObject(world, kind, body, {
    ...writeOptions(request, path),
    manager,
    force,
  });
  return json(created ? 201 : 200, inVersion(kind, object));
}
