import type { JsonObject } from '../merge/json.js';
import type { Kind } from '../schema/kinds.js';
import type { World } from '../world.js';
import { bodyOf, checkedBody, deleteOptions, writeOptions } from './body.js';
import { deleteObject } from './deletes.js';
import { listObjects } from './reads.js';
import { parseResourcePath, type ApiRequest, type ResourcePath } from './request.js';
import { json, notAllowed, PAGE_NOT_FOUND, type ApiResponse } from './response.js';
import { handleDiscovery } from './serve-discovery.js';
import { handleObject } from './serve-object.js';
import { unknownPath } from './status.js';
import { createObject } from './writes.js';

export type { ApiResponse } from './response.js';

/** Answer one request. Throws {@link ApiFailure} for everything a kube-apiserver would refuse. */
export function handle(world: World, request: ApiRequest): ApiResponse {
  const fixed = handleDiscovery(world, request);
  if (fixed !== undefined) return fixed;
  const path = parseResourcePath(request.path);
  if (path === undefined) return PAGE_NOT_FOUND;
  const review = accessReview(path, request);
  if (review !== undefined) return review;
  const kind = world.kinds.byResource(path.group, path.version, path.resource);
  if (kind === undefined) return PAGE_NOT_FOUND;
  if (kind.namespaced && path.namespace === undefined && path.name !== undefined)
    throw unknownPath();
  if (
    path.subresource !== undefined &&
    !kind.subresources.has(path.subresource) &&
    !(path.subresource === 'finalize' && kind.kind === 'Namespace')
  )
    throw unknownPath();
  return path.name === undefined
    ? handleCollection(world, kind, path, request)
    : handleObject(world, kind, path, path.name, request);
}

function handleCollection(
  world: World,
  kind: Kind,
  path: ResourcePath,
  request: ApiRequest,
): ApiResponse {
  const { query } = request;
  switch (request.method) {
    case 'GET': {
      const watch = query.get('watch');
      if (watch === 'true' || watch === '1')
        return { kind: 'watch', resource: kind, namespace: path.namespace };
      return json(200, listObjects(world, kind, path.namespace, query));
    }
    case 'POST': {
      const [body, warnings] = checkedBody(kind, path, request);
      return {
        ...json(201, createObject(world, kind, body, writeOptions(request, path))),
        warnings,
      };
    }
    case 'DELETE': {
      const list = listObjects(world, kind, path.namespace, query);
      const options = deleteOptions(request);
      for (const object of list['items'] as JsonObject[])
        deleteObject(world, kind, object, options);
      return json(200, list);
    }
    default:
      throw notAllowed();
  }
}

/** Whoever is let in may do everything: the answer to every `SelfSubjectAccessReview` is yes. */
function accessReview(path: ResourcePath, request: ApiRequest): ApiResponse | undefined {
  if (path.group !== 'authorization.k8s.io' || request.method !== 'POST') return undefined;
  return json(201, { ...bodyOf(request), status: { allowed: true } });
}
