import { objectAt, type JsonObject } from '../merge/json.js';
import type { Kind } from '../schema/kinds.js';
import type { World } from '../world.js';
import { bodyOf, checkedBody, checkStrict, deleteOptions, writeOptions } from './body.js';
import { deleteObject } from './deletes.js';
import {
  aggregatedDiscovery,
  coreVersions,
  groupList,
  groupOf,
  resourceList,
  VERSION,
} from './discovery.js';
import { openApiDocument, openApiIndex } from './openapi.js';
import { patched } from './patch.js';
import { inVersion, listObjects } from './reads.js';
import { parseResourcePath, type ApiRequest, type ResourcePath } from './request.js';
import { scaleOf, withScale } from './scale.js';
import { details, notFound, unknownPath, ApiFailure } from './status.js';
import {
  applyObject,
  createObject,
  isReleased,
  replaceObject,
  type WriteOptions,
} from './writes.js';

export type ApiResponse =
  | {
      readonly kind: 'json';
      readonly code: number;
      readonly body: unknown;
      readonly contentType?: string;
      readonly warnings?: readonly string[];
    }
  | { readonly kind: 'text'; readonly code: number; readonly body: string }
  | { readonly kind: 'watch'; readonly resource: Kind; readonly namespace: string | undefined };

/** What is no API at all is answered by the HTTP server itself, not by a Status. */
const PAGE_NOT_FOUND: ApiResponse = { kind: 'text', code: 404, body: '404 page not found\n' };

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

function handleDiscovery(world: World, request: ApiRequest): ApiResponse | undefined {
  if (request.method !== 'GET') return undefined;
  const accept = String(request.headers['accept'] ?? '');
  const path = request.path.replace(/\/$/, '');
  const aggregated =
    /as=APIGroupDiscoveryList/.test(accept) && (path === '/api' || path === '/apis');
  if (aggregated) {
    const body = aggregatedDiscovery(world, path === '/api' ? 'api' : 'apis');
    return {
      kind: 'json',
      code: 200,
      body,
      contentType: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    };
  }
  if (path === '/version') return json(200, VERSION);
  if (path === '/healthz' || path === '/readyz' || path === '/livez')
    return { kind: 'text', code: 200, body: 'ok' };
  if (path === '/openapi/v3') return json(200, openApiIndex(world));
  if (path.startsWith('/openapi/v3/'))
    return found(openApiDocument(world, path.slice('/openapi/v3/'.length)));
  if (path === '/api') return json(200, coreVersions());
  if (path === '/apis') return json(200, groupList(world));
  const [, root, group, version, ...rest] = path.split('/');
  if (rest.length > 0 || group === undefined) return undefined;
  if (root === 'api' && version === undefined) return found(resourceList(world, '', group));
  if (root !== 'apis') return undefined;
  return found(version === undefined ? groupOf(world, group) : resourceList(world, group, version));
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

/** Built-in kinds that a PUT creates when they are absent. */
const CREATED_BY_PUT = new Set(
  'Service Endpoints Lease Event LimitRange Role ClusterRole RoleBinding ClusterRoleBinding'.split(
    ' ',
  ),
);

function handleObject(
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

/** Whoever is let in may do everything: the answer to every `SelfSubjectAccessReview` is yes. */
function accessReview(path: ResourcePath, request: ApiRequest): ApiResponse | undefined {
  if (path.group !== 'authorization.k8s.io' || request.method !== 'POST') return undefined;
  return json(201, { ...bodyOf(request), status: { allowed: true } });
}

function found(body: object | undefined): ApiResponse {
  return body === undefined ? PAGE_NOT_FOUND : json(200, body);
}

function json(code: number, body: unknown): ApiResponse & { kind: 'json' } {
  return { kind: 'json', code, body };
}

function notAllowed(): ApiFailure {
  return new ApiFailure(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}
