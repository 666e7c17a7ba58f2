import { parseResourcePath, type ApiRequest } from './request.js';
import { ApiFailure } from './status.js';

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Who signs in without rights may read what is about the server, not about its objects; all else is a 403. */
export function refuse(request: ApiRequest): void {
  const path = parseResourcePath(request.path);
  if (path === undefined) return;
  const { group, resource, namespace, name } = path;
  const isWatch = /^(true|1)$/.test(request.query.get('watch') ?? '');
  const read = isWatch ? 'watch' : name === undefined ? 'list' : 'get';
  const verb =
    request.method === 'DELETE' && name === undefined
      ? 'deletecollection'
      : (VERBS[request.method] ?? read);
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const where =
    namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  throw new ApiFailure(
    403,
    'Forbidden',
    `${qualified}${name === undefined ? '' : ` "${name}"`} is forbidden: User "sandbox-viewer" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`,
    { ...(name !== undefined && { name }), ...(group !== '' && { group }), kind: resource },
  );
}
