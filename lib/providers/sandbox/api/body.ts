import { isObject, objectAt, type JsonObject } from '../merge/json.js';
import type { Kind } from '../schema/kinds.js';
import { typeFaults } from '../schema/validate-types.js';
import type { DeleteOptions } from './deletes.js';
import type { ApiRequest, ResourcePath } from './request.js';
import { badRequest } from './status.js';
import type { WriteOptions } from './writes.js';

/** The body as an object of this kind, with namespace and name of the URL; unknown fields refused, warned of or dropped. */
export function checkedBody(
  kind: Kind,
  path: ResourcePath,
  request: ApiRequest,
): readonly [JsonObject, readonly string[]] {
  const body = bodyOf(request);
  const metadata = objectAt(body, 'metadata');
  if (
    body['kind'] !== undefined &&
    (body['kind'] !== kind.kind || body['apiVersion'] !== kind.apiVersion)
  ) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): got ${String(body['apiVersion'])}, Kind=${String(body['kind'])}`,
    );
  }
  if (path.name !== undefined && metadata['name'] !== undefined && metadata['name'] !== path.name) {
    throw badRequest(
      `the name of the object (${String(metadata['name'])}) does not match the name on the URL (${path.name})`,
    );
  }
  const given = metadata['namespace'];
  if (kind.namespaced && given !== undefined && given !== path.namespace) {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  const warnings =
    request.contentType === 'application/apply-patch+yaml' ? [] : checkStrict(kind, body, request);
  return [
    {
      ...body,
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      metadata: {
        ...metadata,
        ...(path.name !== undefined && { name: path.name }),
        ...(kind.namespaced && path.namespace !== undefined && { namespace: path.namespace }),
      },
    },
    warnings,
  ];
}

/** Unknown fields: a 400 with `fieldValidation=Strict`, else texts of warnings. */
export function checkStrict(kind: Kind, body: JsonObject, request: ApiRequest): readonly string[] {
  const mode = request.query.get('fieldValidation') ?? 'Warn';
  if (mode === 'Ignore') return [];
  const unknown = typeFaults(body, kind.schema).filter((fault) => fault.reason === 'unknown');
  const texts = unknown.map((fault) => `unknown field "${fault.path.slice(1)}"`);
  if (mode !== 'Strict' || texts.length === 0) return texts;
  const subject = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: strict decoding error: ${texts.join(', ')}`;
  throw badRequest(subject);
}

export function bodyOf(request: ApiRequest): JsonObject {
  if (!isObject(request.body)) throw badRequest('the body of the request is not a JSON object');
  return request.body;
}

export function writeOptions(request: ApiRequest, path: ResourcePath): WriteOptions {
  const agent = String(request.headers['user-agent'] ?? 'unknown').split('/')[0] ?? 'unknown';
  const subresource = path.subresource;
  return {
    manager: request.query.get('fieldManager') ?? agent,
    dryRun: request.query.get('dryRun') === 'All',
    ...((subresource === 'status' || subresource === 'scale') && { subresource }),
  };
}

export function deleteOptions(request: ApiRequest): DeleteOptions {
  const body = isObject(request.body) ? request.body : {};
  const preconditions = objectAt(body, 'preconditions');
  const policy = request.query.get('propagationPolicy') ?? body['propagationPolicy'];
  const known = policy === 'Background' || policy === 'Foreground' || policy === 'Orphan';
  return {
    ...(known && { propagationPolicy: policy }),
    ...(typeof preconditions['uid'] === 'string' && { uid: preconditions['uid'] }),
    ...(typeof preconditions['resourceVersion'] === 'string' && {
      resourceVersion: preconditions['resourceVersion'],
    }),
    dryRun:
      request.query.get('dryRun') === 'All' ||
      (Array.isArray(body['dryRun']) && body['dryRun'].includes('All')),
  };
}
